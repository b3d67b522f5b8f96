#include "scheduler/launch/shared_memory.h"

#include <algorithm>

#include "cudacpu/launch.h"

namespace cudacpu {
namespace {

size_t function_shared_bytes = 0;

}  // namespace

size_t reserve_shared(KernelInfo* info, size_t bytes, size_t align) {
  // Called only before main() and in dlopen, by one thread at a time.
  size_t& end = info ? info->static_shared : function_shared_bytes;
  size_t offset = (end + align - 1) / align * align;
  end = offset + bytes;
  if (info) info->static_shared_align = std::max(info->static_shared_align, align);
  return offset;
}

size_t function_shared_size() {
  return function_shared_bytes;
}

}  // namespace cudacpu

#include "scheduler/block/block_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "scheduler/launch/shared_memory.h"

namespace cudacpu {
namespace {

// The value of uninitialised shared memory: NaN as a float, -1 as an int.
constexpr int kSharedPoison = 0xFF;

size_t rounded_up(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

SharedRange map_shared_memory() {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t room = rounded_up(kSharedOptInLimit, page);
  void* memory = mmap(nullptr, room + page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) abort();
  auto* const begin = static_cast<char*>(memory);
  mprotect(begin + room, page, PROT_NONE);
  return {begin, room + page};
}

}  // namespace

BlockMemory::~BlockMemory() {
  if (map_.begin) munmap(map_.begin, map_.bytes);
}

void BlockMemory::prepare(const Launch& launch) {
  if (!map_.begin) map_ = map_shared_memory();
  const size_t align = launch.info->static_shared_align;
  const size_t fixed = rounded_up(launch.info->static_shared, align);
  const size_t variable = rounded_up(launch.dynamic_bytes, 16);
  const size_t room = map_.bytes - static_cast<size_t>(sysconf(_SC_PAGESIZE));
  kernel_ = {map_.begin + (room - fixed - variable) / align * align, fixed + launch.dynamic_bytes};
  dynamic_ = kernel_.begin + fixed;
  const size_t functions = function_shared_size();
  if (functions > functions_.bytes) {
    function_memory_.reset(static_cast<char*>(aligned_alloc(128, rounded_up(functions, 128))));
    functions_ = {function_memory_.get(), functions};
  }
}

void BlockMemory::begin() {
  // The poison is the same in each run and for any number of workers.
  if (kernel_.bytes) memset(kernel_.begin, kSharedPoison, kernel_.bytes);
  if (functions_.bytes) memset(functions_.begin, kSharedPoison, functions_.bytes);
}

}  // namespace cudacpu

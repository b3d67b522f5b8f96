#include "profile/trace/basic_blocks.h"

// Made by the linker for a section whose name is an identifier; absent where no kernel was
// compiled.
extern "C" {
extern const cudacpu::profile::BasicBlock __start_cudacpu_blocks[]
    __attribute__((weak, visibility("hidden")));
extern const cudacpu::profile::BasicBlock __stop_cudacpu_blocks[]
    __attribute__((weak, visibility("hidden")));
extern const char __ehdr_start __attribute__((visibility("hidden")));
}

namespace cudacpu::profile {

uintptr_t code_base() {
  return reinterpret_cast<uintptr_t>(&__ehdr_start);
}

BlockTable::BlockTable() : blocks_{{0, 4, 0, 0, 0, 1, 0}} {
  for (const BasicBlock* block = __start_cudacpu_blocks; block != __stop_cudacpu_blocks; ++block) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(&block->code) + block->code;
    const auto code = static_cast<uint32_t>(address - code_base());
    if (code >= index_.size()) index_.resize(code + 1);
    index_[code] = static_cast<uint32_t>(blocks_.size());
    blocks_.push_back(*block);
  }
}

}  // namespace cudacpu::profile

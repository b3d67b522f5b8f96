#include "profile/trace/basic_blocks.h"

// Made by the linker for a section whose name is an identifier; absent in a program without
// kernels.
extern "C" {
extern const cudacpu::profile::BasicBlock __start_cudacpu_blocks[]
    __attribute__((weak, visibility("hidden")));
extern const cudacpu::profile::BasicBlock __stop_cudacpu_blocks[]
    __attribute__((weak, visibility("hidden")));
extern const cudacpu::profile::SpecialRecord __start_cudacpu_special_lines[]
    __attribute__((weak, visibility("hidden")));
extern const cudacpu::profile::SpecialRecord __stop_cudacpu_special_lines[]
    __attribute__((weak, visibility("hidden")));
extern const char __ehdr_start __attribute__((visibility("hidden")));
}

namespace cudacpu::profile {
namespace {

// Returns the address `distance` bytes after the number `distance` itself.
uintptr_t at(const int32_t& distance) {
  return reinterpret_cast<uintptr_t>(&distance) + distance;
}

uint32_t code_at(const int32_t& distance) {
  return static_cast<uint32_t>(at(distance) - code_base());
}

}  // namespace

uintptr_t code_base() {
  return reinterpret_cast<uintptr_t>(&__ehdr_start);
}

BlockTable::BlockTable() : blocks_{{0, 4, 0, 0, 0, 1, 0, 0, 0, 5}} {
  for (const BasicBlock* block = __start_cudacpu_blocks; block != __stop_cudacpu_blocks; ++block) {
    const uint32_t code = code_at(block->code);
    if (code >= index_.size()) index_.resize(code + 1);
    index_[code] = static_cast<uint32_t>(blocks_.size());
    blocks_.push_back(*block);
  }
}

std::vector<SpecialLine> special_lines() {
  std::vector<SpecialLine> lines;
  for (const SpecialRecord* one = __start_cudacpu_special_lines;
       one != __stop_cudacpu_special_lines; ++one) {
    lines.push_back({code_at(one->code), reinterpret_cast<const char*>(at(one->file)),
                     static_cast<int>(one->line), one->count});
  }
  return lines;
}

}  // namespace cudacpu::profile

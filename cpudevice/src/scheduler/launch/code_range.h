// Ranges of addresses that hold the program's code.
#pragma once

#include <cstdint>

namespace cudacpu {

// The addresses of a loaded file's segment.
struct CodeRange {
  uintptr_t begin = 0, end = 0;
  bool has(uintptr_t pc) const { return pc >= begin && pc < end; }
};
// Finds the segment that holds `code`.
CodeRange code_range(const void* code);

// Turns a return address into an address of the call.
inline const void* call_of(const void* site) {
  return static_cast<const char*>(site) - 1;
}

}  // namespace cudacpu

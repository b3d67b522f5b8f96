// The range of addresses that holds the program's code.
#pragma once

#include <cstdint>

namespace cudacpu {

// The range of addresses of a loaded file's segment.
struct CodeRange {
  uintptr_t begin = 0, end = 0;
  bool has(uintptr_t pc) const { return pc >= begin && pc < end; }
};
// The one that holds `code`.
CodeRange code_range(const void* code);

// From a return address to the call before it.
inline const void* call_of(const void* site) {
  return static_cast<const char*>(site) - 1;
}

}  // namespace cudacpu

// The call stack of the calling thread: the addresses of its active calls, innermost first.
#pragma once

#include <unwind.h>

#include <cstdint>
#include <utility>

namespace cudacpu {

// Must be called once before a signal handler calls call_stack(): the first unwinding loads
// libraries and allocates, which a handler must not do.
inline void prepare_call_stack() {
  _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_NO_REASON; }, nullptr);
}

// Writes the first `most` addresses that `wanted(uintptr_t)` accepts to `frames`; returns their
// number. An entry is the address of a call, or of the instruction that a signal interrupted.
template <typename Wanted>
int call_stack(const void** frames, int most, Wanted wanted) {
  struct Search {
    const void** frames;
    int most, count;
    Wanted wanted;
  };
  Search search{frames, most, 0, std::move(wanted)};
  if (most <= 0) return 0;
  const auto look = [](_Unwind_Context* at, void* data) {
    auto& search = *static_cast<Search*>(data);
    int exact = 0;
    uintptr_t pc = _Unwind_GetIPInfo(at, &exact);
    if (!exact) --pc;  // a return address: the call is before
    if (search.wanted(pc)) search.frames[search.count++] = reinterpret_cast<const void*>(pc);
    return search.count < search.most ? _URC_NO_REASON : _URC_END_OF_STACK;
  };
  _Unwind_Backtrace(look, &search);
  return search.count;
}

}  // namespace cudacpu

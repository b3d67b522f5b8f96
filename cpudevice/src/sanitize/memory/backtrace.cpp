#include "sanitize/memory/backtrace.h"

#include <unwind.h>

namespace cudacpu::sanitize {

Backtrace backtrace_here() {
  Backtrace trace;
  _Unwind_Backtrace(
      [](_Unwind_Context* at, void* data) {
        auto* trace = static_cast<Backtrace*>(data);
        if (const auto pc = _Unwind_GetIP(at))
          trace->frame[trace->count++] = reinterpret_cast<const void*>(pc);
        return trace->count < kMostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &trace);
  return trace;
}

}  // namespace cudacpu::sanitize

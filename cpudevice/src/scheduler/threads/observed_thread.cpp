// The calls of translated code at the begin and end of each thread in the diagnostic modes: see
// cudacpu/diagnostics.h.
#include "cudacpu/launch.h"
#include "diagnostics/observer.h"

#if CUDACPU_DIAGNOSTICS

namespace cudacpu {
namespace observe {

void start_thread(unsigned x, unsigned id) {
  set_running(x);
  thread_begin(id);
}

bool stop_thread(unsigned id) {
  set_running(kBetweenThreads);
  if (context.thread) return true;
  thread_end(id);
  return false;
}

size_t peek(const size_t* value) {
  return *value;
}
}  // namespace observe

}  // namespace cudacpu

#endif

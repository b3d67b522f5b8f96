// Lets other threads run when a thread may be waiting for them in a loop of its own.
#pragma once

#include "scheduler/threads/worker.h"

namespace cudacpu {

// Lets other threads, or other blocks, run. The thread has waited as long as if all threads that
// can run had yielded `rounds` times in turn.
void yield_now(Worker& worker, unsigned rounds = 0);
#if CUDACPU_DIAGNOSTICS
// Lets a thread run first whose time on the profile's clock is earlier than the running thread's:
// thread `id` of `block`, or the first thread of a block that has not started, if `block` is null.
// Returns when the running thread has its next turn.
void run_first(Worker& worker, Block* block, unsigned id);
#endif

}  // namespace cudacpu

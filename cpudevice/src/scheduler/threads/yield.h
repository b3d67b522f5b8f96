// Lets other threads run when a thread may be waiting for them in a loop of its own.
#pragma once

#include "scheduler/threads/worker.h"

namespace cudacpu {

// Lets other threads, or other blocks, run. The thread has waited as long as if all threads that
// can run had yielded `rounds` times in turn.
void yield_now(Worker& worker, unsigned rounds = 0);
// Notes the sum of the progress of the other workers of the launch, and that this is what it is
// now: the worker waits for them, and starts further blocks only when they do nothing more.
void note_progress_of_others(Worker& worker, uint64_t progress);
#if CUDACPU_DIAGNOSTICS
// Lets a thread run first whose time on the profile's clock is earlier than the running one's: the
// thread `id` of `block`, or the first one of a block that has not started, if that is null.
// Returns when it is the running thread's turn again.
void run_first(Worker& worker, Block* block, unsigned id);
#endif

}  // namespace cudacpu

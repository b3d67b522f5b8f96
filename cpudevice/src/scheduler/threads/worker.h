// An OS thread that runs blocks.
#pragma once

#include <pthread.h>
#include <setjmp.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/launch/launch.h"
#include "scheduler/threads/block.h"
#include "scheduler/threads/fiber.h"

namespace cudacpu {

struct alignas(256) Worker {
  // Counts block starts, barriers and ends of threads that waited; the watchdog checks whether it
  // has changed.
  volatile uint64_t progress = 0;
  Launch* launch = nullptr;
  Block* block = nullptr;        // the running one
  Fiber* fiber = nullptr;        // where the loop over the threads runs
  Thread* first_turn = nullptr;  // the first thread whose quick turn is not booked: see settle()
  std::vector<Block*> resident;  // started, not finished
  std::vector<std::unique_ptr<Block>> spare;
  FiberPool fibers;
  StackPointer main_context = nullptr;  // where work() of workers/work.h waits
  StackPointer discarded = nullptr;     // what a fiber leaves that is not to be come back to
  uint64_t run_next = 0, run_end = 0;   // blocks dealt to this worker, not started
  unsigned run_length = 1;
  double run_started = 0;
  unsigned idle_yields = 0;    // since the last progress that was seen
  unsigned idle_times = 0;     // that they were enough, since then or since lanes were in step
  uint64_t last_progress = 0;  // then
  size_t idle_blocks = 0;      // left like that since then, or since all were
  size_t unasked = 0;          // blocks that may start before all are left like that again
  // For other workers to see: the progress at which all blocks of this one only waited, and which
  // of the launch's vain looks that was. What this one saw of the others: the sum of their
  // progress, when that changed last, and how many vain looks there were by then.
  volatile uint64_t waits_at = 0, looked = 0;
  uint64_t seen_progress = 0, seen_looks = 0;
  double seen_at = 0;
  uint64_t last_spinner = ~uint64_t{0};
  unsigned meetings = 0;  // of warps, since other threads had a turn
  pthread_t os_thread{};
  Looks looks;             // at a thread of a launch that takes too long
  bool replaying = false;  // looks for the thread that faulted: see Body::run_simple
  sigjmp_buf recover;

  // The reason for jumping back to work().
  enum Jump { kAbandon = 1, kReplay = 2 };
  // Leaves the launch from any place, after its failure was claimed; nothing on the fibers is
  // unwound.
  [[noreturn]] void abandon();
  // Runs the current block once more, with threadIdx kept up to date.
  [[noreturn]] void replay();
};

// The stack of the running thread of a kernel; it is the thread's own if the thread has waited
// before.
inline const Fiber& running_fiber() {
  return context.thread ? *context.thread->fiber : *context.worker->fiber;
}

}  // namespace cudacpu

// An OS thread that runs blocks.
#pragma once

#include <pthread.h>
#include <setjmp.h>

#include "scheduler/launch/launch.h"
#include "scheduler/threads/fiber.h"
#include "scheduler/threads/idle_watch.h"
#include "scheduler/threads/resident_blocks.h"

namespace cudacpu {

struct alignas(256) Worker {
  IdleWatch watch;
  Launch* launch = nullptr;
  Block* block = nullptr;        // the running block
  Fiber* fiber = nullptr;        // where the loop over the threads runs
  Thread* first_turn = nullptr;  // the first thread whose quick turn is not booked: see settle()
  FiberPool fibers;
  StackPointer main_context = nullptr;  // where work() of workers/work.h waits
  StackPointer discarded = nullptr;     // what a fiber leaves that is not to be come back to
  Deal deal;
  ResidentBlocks blocks;
  pthread_t os_thread{};
  Looks looks;             // at a thread of a launch that takes too long
  bool replaying = false;  // looks for the thread that faulted: see Body::run_simple
  sigjmp_buf recover;

  // Takes the number of the worker's next cluster; returns false if none is left.
  bool take_cluster(uint64_t* number) {
    if (!deal.take(*launch, number)) return false;
    watch.note_progress();
    return true;
  }
  // Starts the worker's next block, with all others of its cluster; returns false if none is left.
  bool start_block();
  // Makes `next` the running block.
  void enter(Block& next);
  // Makes another block the running block that can continue; returns false if there is none.
  bool enter_other() {
    Block* const other = blocks.runnable_after(block, *launch);
    if (other) enter(*other);
    return other != nullptr;
  }
  // The running block has ended.
  void retire_block();
  // Frees the fibers of the threads of an ended block.
  void release_parked(Block& ended) {
    ended.threads.give_parked([this](Fiber* parked) { fibers.give(parked); });
  }
  // Whether the threads of the next block can continue on the fibers of the running block's: no
  // other block can run between the two.
  bool reuses_block() const {
    return blocks.size() == 1 && !launch->cooperative && launch->cluster_blocks == 1;
  }

  // The reason for jumping back to work().
  enum Jump { kAbandon = 1, kReplay = 2 };
  // Leaves the launch from any place, after its failure was claimed; nothing on the fibers is
  // unwound.
  [[noreturn]] void abandon();
  // Runs the current block once more, with threadIdx kept up to date.
  [[noreturn]] void replay();
};

// The stack of the running thread of a kernel; the thread's own if the thread has waited before.
inline const Fiber& running_fiber() {
  return context.thread ? *context.thread->fiber : *context.worker->fiber;
}

}  // namespace cudacpu

// Switching from thread to thread: the hot path, shared by barriers and warp functions.
#pragma once

#include "diagnostics/observer.h"
#include "scheduler/threads/worker.h"

namespace cudacpu {

// Withdraws the offers of quick turns (cudacpu/turns.h).
inline void end_quick_turns() {
  context.last_to_barrier = context.last_to_end = context.last_to_meet = nullptr;
}

inline void set_current(Worker& worker, Thread& thread) {
  context.thread = &thread;
  end_quick_turns();
  worker.first_turn = &thread;
  threadIdx = thread.index;
}

// What the current fiber does next.
enum class Next { kThread, kLoop, kOver, kUndecided };

// Decides when the running thread, whose number is `after`, cannot go on or has ended. The chosen
// thread is no longer in its block's ready set.
Next choose(Worker& worker, unsigned after, Thread** chosen);

// The entry function of every fiber: loops over the threads of one block after the other.
void fiber_main();

// Records the turns that threads took without the scheduler, from worker.first_turn up to the
// running thread: they waited at the barrier or for their warp, or ended. Must be called before
// anything else is done with the block.
inline void settle(Worker& worker) {
  Thread *first = worker.first_turn, *now = context.thread;
  if (first == now) return;
  Block& block = *worker.block;
  block.threads.take_range(first->id + 1, now->id + 1);
  if (context.last_to_barrier) {
    block.barrier.add_arrivals(now->id - first->id);
  } else if (context.last_to_meet) {
    const unsigned lanes = (1u << (now->id - first->id)) - 1;  // fewer than a warp's
    context.meeting->arrived |= lanes << first->id % kWarpSize;
  } else {
    block.threads.end_and_park_range(first->id, now->id);
  }
  worker.first_turn = now;
  end_quick_turns();
}

// Makes the state of the running thread, which has to wait for the first time: the fiber on which
// the loop runs becomes the thread's own.
Thread& first_wait(Worker& worker);

// Returns the running thread's state.
inline Thread& current_thread(Worker& worker) {
  if (!context.thread) return first_wait(worker);
  settle(worker);
  return *context.thread;
}

// Switches to a new fiber, where the loop continues with the threads that have not started.
inline Departure start_loop(Worker& worker, StackPointer* save) {
  Fiber* fiber = worker.fibers.take();
  worker.fiber = fiber;
  // Prefetches what the thread after the next will write first: its stack and its state.
  if (const Fiber* soon = worker.fibers.next()) {
    for (int line = 1; line <= 6; ++line)
      __builtin_prefetch(soon->stack_top - 64 * line, 1);
  }
  worker.block->threads.prefetch_next();
  return {save, make_stack<&fiber_main>(fiber->stack_top)};
}

// Switches to a thread that was made the current thread.
inline Departure resume_current(Thread& thread, StackPointer* save) {
  observe::thread_resume(thread.id);
  // The thread's successor is likely to be next, and a thousand stacks do not fit into the
  // first-level cache.
  const char* soon = static_cast<const char*>((&thread + 1)->context);
  __builtin_prefetch(soon);
  __builtin_prefetch(soon + 64);
  __builtin_prefetch(soon + 128);
  return {save, thread.context};
}
// Switches to a thread that was taken from the ready threads.
inline Departure resume(Worker& worker, Thread& thread, StackPointer* save) {
  set_current(worker, thread);
  return resume_current(thread, save);
}

// `me` continues, and has the next turn as well.
inline Departure stay(Thread& me) {
  observe::thread_resume(me.id);
  return {nullptr, nullptr};
}

// Switches to the next thread or block, because `me` has to wait or its turn is over.
inline __attribute__((always_inline)) Departure leave(Worker& worker, Thread& me) {
  BlockThreads& threads = worker.block->threads;
  Thread* thread;
  if (threads.ready_count() > 0) {
    thread = threads.take_next(me);
  } else if (!threads.all_started() || choose(worker, me.id, &thread) == Next::kLoop) {
    return start_loop(worker, &me.context);
  }
  if (thread == &me) return stay(me);
  return resume(worker, *thread, &me.context);
}

inline void go(Departure departure) {
  const bool carry = context.carry;  // a turn may end between two asm statements
  switch_stack(departure.save, departure.to);
  context.carry = carry;
}

}  // namespace cudacpu

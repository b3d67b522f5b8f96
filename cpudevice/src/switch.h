// Switching from thread to thread: the hot path, shared by barriers and warp functions.
#pragma once

#include "observer.h"
#include "scheduler.h"

namespace cudacpu {

inline void set_current(Worker& worker, Thread& thread) {
  worker.fiber = thread.fiber;
  context.thread = &thread;
  threadIdx = thread.index;
  observe::thread_resume(thread.id);
}

// What the present fiber does next.
enum class Next { kThread, kLoop, kOver };

// Decides when the running thread, whose number is `after`, cannot go on or has ended. The chosen
// thread is no longer in its block's ready set.
Next choose(Worker& worker, unsigned after, Thread** chosen);

// The running thread's state, made when it first has to wait: the fiber it runs on becomes its own.
inline Thread& current_thread(Worker& worker) {
  if (context.thread) return *context.thread;
  Block& block = *worker.block;
  unsigned id = linear_thread();
  Thread& thread = block.thread_states[id];
  thread.index = threadIdx;
  thread.id = id;
  thread.fiber = worker.fiber;
  thread.wait = Wait::kNothing;
  thread.meeting = nullptr;
  block.alive.add(id);
  ++block.live;
  block.next_start = id + 1;
  context.thread = &thread;
  return thread;
}

// To a fresh fiber, where the loop goes on over the threads that have not started.
inline Departure start_loop(Worker& worker, StackPointer* save) {
  Fiber* fiber = worker.fibers.take();
  worker.fiber = fiber;
  context.thread = nullptr;
  if (!fiber->parked) {
    fiber->parked = make_stack(fiber->stack_top, fiber->stack_bytes);
  }
  return {save, fiber->parked};
}

// To a thread that is ready.
inline Departure resume(Worker& worker, Thread& thread, StackPointer* save) {
  set_current(worker, thread);
  // Its successor is likely next: a thousand stacks do not fit the first-level cache.
  const char* soon = static_cast<const char*>((&thread + 1)->context);
  __builtin_prefetch(soon);
  __builtin_prefetch(soon + 64);
  __builtin_prefetch(soon + 128);
  return {save, thread.context};
}

// To whatever is next, now that `me` has to wait or its turn is over.
inline Departure leave(Worker& worker, Thread& me) {
  Block& block = *worker.block;
  int id = block.ready.next(me.id + 1);
  Thread* thread;
  if (id >= 0) {
    block.ready.remove(id);
    thread = &block.thread_states[id];
  } else if (choose(worker, me.id, &thread) == Next::kLoop) {
    return start_loop(worker, &me.context);
  }
  if (thread == &me) return {nullptr, nullptr};
  return resume(worker, *thread, &me.context);
}

inline void go(Departure departure) {
  if (departure.to) switch_stack(departure.save, departure.to);
}

}  // namespace cudacpu

// Switching from thread to thread: the hot path, shared by barriers and warp functions.
#pragma once

#include "scheduler.h"

namespace cudacpu {

// Saved state arrives with each switch: the one who was left says where he is to be found.
inline void jump(fcontext_t to, fcontext_t* save_here) {
  transfer_t from = jump_fcontext(to, save_here);
  *static_cast<fcontext_t*>(from.data) = from.fctx;
}

inline void set_current(Worker& worker, Thread& thread) {
  worker.fiber = thread.fiber;
  context.thread = &thread;
  threadIdx = thread.index;
}

// What the present fiber does next.
enum class Next { kThread, kLoop, kOver };

// Decides when the running thread, whose number is `after`, cannot go on or has ended. The chosen thread is no longer
// in its block's ready set.
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

// Continues with the loop over the threads that have not started, on a fresh fiber.
inline void start_loop(Worker& worker, Thread& me) {
  Fiber* fiber = worker.fibers.take();
  worker.fiber = fiber;
  context.thread = nullptr;
  if (!fiber->parked) {
    fiber->parked = make_fcontext(fiber->stack_top, fiber->stack_bytes, fiber_main);
  }
  jump(fiber->parked, &me.context);
}

inline void resume(Worker& worker, Thread& thread, fcontext_t* save_here) {
  set_current(worker, thread);
  // Its successor is likely next: a thousand stacks do not fit the first-level cache.
  const char* soon = static_cast<const char*>((&thread + 1)->context);
  __builtin_prefetch(soon);
  __builtin_prefetch(soon + 64);
  __builtin_prefetch(soon + 128);
  jump(thread.context, save_here);
}

// Runs something else; returns when `me` has become ready and it is its turn.
inline void switch_away(Worker& worker, Thread& me) {
  Block& block = *worker.block;
  int id = block.ready.next(me.id + 1);
  Thread* thread;
  if (id >= 0) {
    block.ready.remove(id);
    thread = &block.thread_states[id];
  } else if (choose(worker, me.id, &thread) == Next::kLoop) {
    start_loop(worker, me);
    return;
  }
  if (thread != &me) resume(worker, *thread, &me.context);
}

}  // namespace cudacpu

// The quick way from thread to thread, inlined into the kernel.
//
// Mostly all threads of a block come to a barrier one after the other, and then all end one after
// the other. The first thread goes through the scheduler (src/scheduler/threads), which finds the
// last successor that can follow in the quick way. The threads up to the last successor only switch
// from their stack to the next thread's. Their steps are booked later, when a thread needs the
// scheduler again: see settle() in src/scheduler/threads/switch.h.
#pragma once

#include "runtime.h"

#if !CUDACPU_CHECKING

namespace cudacpu {

struct Fiber;
struct Meeting;

enum class Wait : uint8_t { kNothing, kBlock, kCluster, kGrid, kNamed, kWarp, kActiveMask };

// A CUDA thread that has had to wait at least once. A Thread fills a single cache line, because
// every switch touches the Thread.
struct alignas(64) Thread {
  StackPointer context;  // where the thread goes on
  Fiber* fiber;
  Meeting* meeting;  // the last meeting of the thread
  const char* what;  // the call in which the thread waits, in the student's words
  const void* site;  // the call's place: a return address
  uint3 index;
  unsigned id;    // linear, within the block
  unsigned mask;  // kWarp: the lanes for which the thread waits; kActiveMask: the answer
  Wait wait;
};

// A block has more Thread objects than threads: the stacks of the additional objects are
// prefetched, and not used.
constexpr unsigned kThreadsAhead = 4;

CUDACPU_UNINSTRUMENTED inline void arrived() {
  set_busy(0);
}
// The function that gave the departure and the fences of set_busy() keep accesses in their places.
// An assembler statement that names memory would also keep the accesses, but the program's arrays
// would not stay in registers.
inline __attribute__((always_inline)) void depart(Departure departure) {
  switch_registers(departure.save, departure.to);
  arrived();
}

#if !CUDACPU_DIAGNOSTICS

// The address of the code after here(), in place of the return address that a call would have.
inline __attribute__((always_inline)) const void* here() {
  const void* address;
#if defined(__x86_64__)
  asm volatile("leaq (%%rip), %0" : "=r"(address));
#else
  asm volatile("adr %0, . + 4" : "=r"(address));
#endif
  return address;
}

// Continues with the next thread of the block, which must be able to run. No time slice may end
// between the check and the call.
inline __attribute__((always_inline)) void take_turn(Thread* me) {
  Thread* next = me + 1;
  // The stacks of a block fit neither the first-level cache nor its table of pages.
  const char* soon = static_cast<const char*>((next + kThreadsAhead)->context);
  __builtin_prefetch(soon);
  __builtin_prefetch(soon + 64);
  context.thread = next;
  threadIdx = next->index;
  switch_stack(&me->context, next->context);
  set_busy(0);
}

#endif

inline __attribute__((always_inline)) void block_barrier(const char* what) {
#if !CUDACPU_DIAGNOSTICS
  set_busy(1);
  Thread* me = context.thread;
  if (me < context.last_to_barrier) {
    me->what = what;
    me->site = here();
    me->wait = Wait::kBlock;
    return take_turn(me);
  }
#endif
  depart(arrive_at_barrier(what));
}
inline __attribute__((always_inline)) BarrierResult block_barrier_reduce(int predicate,
                                                                         const char* what) {
  depart(arrive_at_barrier_reduce(predicate, what));
  return barrier_result();
}
// Reads without instrumentation: the view's place in memory is no property of the program.
CUDACPU_UNSEEN inline const WarpView& seen(const WarpView* const& view) {
  return *view;
}
inline __attribute__((always_inline)) const WarpView& warp_exchange(unsigned mask, uint64_t value,
                                                                    const char* what) {
  const WarpView* view;
  depart(arrive_in_warp(mask, value, what, &view));
  return seen(view);
}
inline __attribute__((always_inline)) void warp_barrier(unsigned mask, const char* what) {
  warp_exchange(mask, 0, what);
}

// Ends a thread that had to wait: the thread's fiber continues with other work. Returns if the
// other work is the thread of the same number in another block.
Departure finish_thread();
inline __attribute__((always_inline)) void end_of_thread() {
#if CUDACPU_DIAGNOSTICS
  // Never returns: a profile would count the code after a return as the program's.
  const Departure departure = finish_thread();
  switch_stack(departure.save, departure.to);
  __builtin_unreachable();
#else
  set_busy(1);
  Thread* me = context.thread;
  if (me < context.last_to_end) return take_turn(me);
  depart(finish_thread());
#endif
}

}  // namespace cudacpu

#endif

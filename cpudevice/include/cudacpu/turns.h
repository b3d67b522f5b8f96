// The quick way from thread to thread, inlined into the kernel.
//
// Mostly all threads of a block come to a barrier one after the other, and then all end one after
// the other. The first of them goes through the scheduler (src/scheduler/threads), which finds out
// up to which one its successors can follow it; they only leave their stack for the next one's.
// What they did is booked later, when one of them needs the scheduler again: see settle() in
// switch.h there.
#pragma once

#include "runtime.h"

#if !CUDACPU_CHECKING

namespace cudacpu {

struct Fiber;
struct Meeting;

enum class Wait : uint8_t { kNothing, kBlock, kCluster, kGrid, kNamed, kWarp, kActiveMask };

// A CUDA thread that has had to wait at least once. It takes one cache line, because every switch
// touches it.
struct alignas(64) Thread {
  StackPointer context;  // where it goes on
  Fiber* fiber;
  Meeting* meeting;  // the last one it took part in
  const char* what;  // what it waits in, as the student wrote it
  const void* site;  // and where: a return address
  uint3 index;
  unsigned id;    // linear, within the block
  unsigned mask;  // kWarp: the lanes it waits for; kActiveMask: the answer
  Wait wait;
};

// A block has this many more of them than threads: their stacks are prefetched, and not used.
constexpr unsigned kThreadsAhead = 4;

CUDACPU_UNINSTRUMENTED inline void arrived() {
  set_busy(0);
}
// The function that gave the departure and the fences of set_busy() keep accesses in their places.
// An assembler statement that names memory would do so too, and keep the program's arrays out of
// registers.
inline __attribute__((always_inline)) void depart(Departure departure) {
  switch_registers(departure.save, departure.to);
  arrived();
}

#if !CUDACPU_DIAGNOSTICS

// The address of the code after it, in place of the return address that a call would have.
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
// between that check and this call.
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
// Read without instrumentation: that it is in memory is no property of the program.
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

// Ends a thread that had to wait: its fiber continues with something else. Returns if that is the
// thread of the same number in another block.
Departure finish_thread();
inline __attribute__((always_inline)) void end_of_thread() {
#if CUDACPU_DIAGNOSTICS
  // Never returns: what follows it would be counted as the program's.
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

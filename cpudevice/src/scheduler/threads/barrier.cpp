// The calls with which kernels wait for their block or some of its threads, for their cluster or
// for the whole grid: see cudacpu/runtime.h.
#include <algorithm>

#include "cudacpu/runtime.h"
#include "driver_types.h"
#include "scheduler/threads/stop.h"
#include "scheduler/threads/switch.h"

namespace cudacpu {
namespace {

inline Departure wait_at_barrier(Worker& worker, Thread& me, const char* what, const void* site) {
  Block& block = *worker.block;
  me.what = what;
  me.site = site;
  me.wait = Wait::kBlock;
  observe::barrier_arrive(me.id, what, site);
  block.barrier.add_arrivals(1);
  if (block.check_barrier()) worker.watch.note_progress();
  return leave(worker, me);
}

// A thread waits for whose turn the scheduler is needed. The next threads follow without the
// scheduler, if they also reach a barrier.
__attribute__((noinline)) Departure lead(Worker& worker, const char* what, const void* site) {
  Thread& me = current_thread(worker);
  const Departure departure = wait_at_barrier(worker, me, what, site);
  if (context.thread == &me + 1)
    context.last_to_barrier = worker.block->threads.last_ready(*context.thread);
  return departure;
}

#if CUDACPU_DIAGNOSTICS
// The quick way from thread to thread, as take_turn() of cudacpu/turns.h is in a run. What `me` did
// is booked later, see settle().
inline Departure follow(Thread& me, const char* what, const void* site) {
  me.what = what;
  me.site = site;
  me.wait = Wait::kBlock;
  observe::barrier_arrive(me.id, what, site);
  Thread& next = *(&me + 1);
  context.thread = &next;
  threadIdx = next.index;
  return resume_current(next, &me.context);
}
#endif

uint64_t arrive_in_cluster(Block& block, const Thread& me) {
  const uint64_t opening = block.cluster.arrive(me.id);
  if (opening == 0) {
    kernel_trap(cudaErrorLaunchFailure,
                "arrives at the cluster's barrier a second time without waiting in between");
  }
  return opening;
}

// Waits until the cluster's barrier has opened for the `opening`-th time.
Departure wait_in_cluster(Worker& worker, Thread& me, uint64_t opening, const char* what,
                          const void* site) {
  if (opening <= worker.block->cluster->openings()) return stay(me);
  me.what = what;
  me.site = site;
  me.wait = Wait::kCluster;
  worker.watch.note_progress();
  return leave(worker, me);
}

// The number of threads at the barrier; the number in the program counts whole warps.
unsigned expected_threads(const Block& block, unsigned count) {
  if (count % kWarpSize != 0)
    kernel_trap(cudaErrorLaunchFailure,
                "waits at a barrier for a number of threads that is not a multiple of 32");
  const unsigned threads = block.threads.count();
  const unsigned warps = (threads + kWarpSize - 1) / kWarpSize;
  if (count > warps * kWarpSize)
    kernel_trap(cudaErrorLaunchFailure, "waits at a barrier for more threads than the block has");
  return count == 0 ? threads : std::min(count, threads);
}

}  // namespace

Departure arrive_at_barrier(const char* what) {
  Worker* worker = context.worker;
  if (!worker) return {nullptr, nullptr};
  set_busy(1);
  const void* const site = __builtin_return_address(0);
#if CUDACPU_DIAGNOSTICS
  if (context.thread < context.last_to_barrier) return follow(*context.thread, what, site);
#endif
  return lead(*worker, what, site);
}

Departure arrive_at_barrier_reduce(int predicate, const char* what) {
  Worker* worker = context.worker;
  if (!worker) return {nullptr, nullptr};
  set_busy(1);
  Thread& me = current_thread(*worker);
  worker->block->barrier.reduce(predicate);
  return wait_at_barrier(*worker, me, what, __builtin_return_address(0));
}

BarrierResult barrier_result() {
  return context.worker ? context.worker->block->barrier.result() : BarrierResult{};
}

void named_barrier(unsigned number, unsigned count, bool waits, const char* what) {
  Worker* worker = context.worker;
  if (!worker) return;
  if (number >= NamedBarrier::kNumbers)
    kernel_trap(cudaErrorLaunchFailure, "uses a barrier whose number is not one of 0 to 15");
  set_busy(1);
  Thread& me = current_thread(*worker);
  Block& block = *worker->block;
  const unsigned expected = expected_threads(block, count);
  if (block.named.empty()) block.named.resize(NamedBarrier::kNumbers);
  NamedBarrier& barrier = block.named[number];
  if (!barrier.may_expect(expected))
    kernel_trap(cudaErrorLaunchFailure,
                "comes to a barrier for another number of threads than those before it");
  me.what = what;
  me.site = __builtin_return_address(0);
  observe::named_arrive(&barrier);
  if (barrier.arrive(expected, block.threads)) {
    worker->watch.note_progress();
  } else if (waits) {
    barrier.wait(me);
    go(leave(*worker, me));
  }
  if (waits) observe::named_pass(&barrier);
  set_busy(0);
}

void grid_barrier(const char* what) {
  Worker* worker = context.worker;
  if (!worker) return;
  if (!worker->launch->cooperative) {
    kernel_trap(cudaErrorLaunchFailure,
                "waits for the whole grid, but was not launched with cudaLaunchCooperativeKernel");
  }
  set_busy(1);
  Thread& me = current_thread(*worker);
  Block& block = *worker->block;
  me.what = what;
  me.site = __builtin_return_address(0);
  me.wait = Wait::kGrid;
  observe::grid_arrive(me.id, what, me.site);
  block.grid.add_arrival();
  block.grid.check(*worker->launch, block.threads);
  go(leave(*worker, me));
  set_busy(0);
}

void cluster_barrier(const char* what) {
  Worker* worker = context.worker;
  if (!worker || !worker->block->cluster) return;
  set_busy(1);
  Thread& me = current_thread(*worker);
  const void* const site = __builtin_return_address(0);
  observe::grid_arrive(me.id, what, site);
  go(wait_in_cluster(*worker, me, arrive_in_cluster(*worker->block, me), what, site));
  set_busy(0);
}

void arrive_in_cluster() {
  Worker* worker = context.worker;
  if (!worker || !worker->block->cluster) return;
  set_busy(1);
  const Thread& me = current_thread(*worker);
  arrive_in_cluster(*worker->block, me);
  set_busy(0);
}

void wait_for_cluster(const char* what) {
  Worker* worker = context.worker;
  if (!worker || !worker->block->cluster) return;
  set_busy(1);
  Thread& me = current_thread(*worker);
  const ClusterMember& cluster = worker->block->cluster;
  const uint64_t opening = cluster.arrival(me.id);
  if (opening == 0)
    kernel_trap(cudaErrorLaunchFailure, "waits at the cluster's barrier without having arrived");
  const void* const site = __builtin_return_address(0);
  if (opening > cluster->openings()) observe::grid_arrive(me.id, what, site);
  go(wait_in_cluster(*worker, me, opening, what, site));
  set_busy(0);
}

bool grid_is_cooperative() {
  return context.worker && context.worker->launch->cooperative;
}

}  // namespace cudacpu

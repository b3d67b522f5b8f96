// The calls with which kernels wait for their block or for the whole grid: see cudacpu/runtime.h.
#include "cudacpu/runtime.h"
#include "driver_types.h"
#include "scheduler/threads/grid_barrier.h"
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
  if (++block.barrier_arrived == block.alive.size() && block.all_started()) {
    block.release_barrier();
    worker.progress = worker.progress + 1;
  }
  return leave(worker, me);
}

}  // namespace

Departure arrive_at_barrier(const char* what) {
  Worker* worker = context.worker;
  if (!worker) return {nullptr, nullptr};
  set_busy(1);
  Thread& me = current_thread(*worker);
  Departure departure = wait_at_barrier(*worker, me, what, __builtin_return_address(0));
  // The other threads follow by themselves if they also reach a barrier.
  if (!CUDACPU_DIAGNOSTICS && context.thread == &me + 1) {
    context.last_to_barrier = last_ready(*worker->block);
  }
  return departure;
}

Departure arrive_at_barrier_reduce(int predicate, const char* what) {
  Worker* worker = context.worker;
  if (!worker) return {nullptr, nullptr};
  set_busy(1);
  Thread& me = current_thread(*worker);
  BarrierResult& reducing = worker->block->reducing;
  reducing.count += predicate != 0;
  reducing.all &= predicate != 0;
  reducing.any |= predicate != 0;
  return wait_at_barrier(*worker, me, what, __builtin_return_address(0));
}

BarrierResult barrier_result() {
  return context.worker ? context.worker->block->reduced : BarrierResult{};
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
  ++block.grid_arrived;
  check_grid(*worker, block);
  go(leave(*worker, me));
  set_busy(0);
}

bool grid_is_cooperative() {
  return context.worker && context.worker->launch->cooperative;
}

}  // namespace cudacpu

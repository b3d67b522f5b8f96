#include "scheduler/threads/yield.h"

#include <sched.h>

#include "scheduler/threads/stop.h"
#include "scheduler/threads/switch.h"

namespace cudacpu {
namespace {

bool needs_another_block(Worker& worker) {
  Launch& launch = *worker.launch;
  const auto for_each_other = [&](auto look_at) {
    for (const auto& other : *launch.workers) {
      if (other.get() != &worker && other->launch == &launch) look_at(other->watch);
    }
  };
  return worker.watch.needs_another(launch, worker.blocks.size(), for_each_other);
}

// All threads of the running block that can run have only yielded for a while: the value for which
// they wait may be written by another worker, or by a block that waits for this worker. Switches to
// another block that was started, or to a new block; returns true if a new block is to start.
bool leave_block(Worker& worker) {
  // Where other programs run, each call of sched_yield() may cost the processor for some time.
  if (worker.launch->crowded && !worker.block->idle) sched_yield();
  worker.block->idle = true;
  if (needs_another_block(worker) && worker.start_block()) {
    worker.watch.see_others(*worker.launch);
    return true;
  }
  worker.enter_other();
  return false;
}

// Whether the threads of the block have yielded long enough for another block to have a turn, since
// no lane of the block can go on instead.
bool is_stuck(IdleWatch& watch, Block& block, unsigned rounds) {
  if (block.threads.ready_count() == 1 && block.complete_all()) return false;
  if (!watch.waits_for_others(block, rounds) || block.complete_all()) return false;
  return !watch.lanes_give_up(block) || !block.answer_active_masks();
}

}  // namespace

void yield_now(Worker& worker, unsigned rounds) {
  if (worker.launch->failed.load(std::memory_order_relaxed)) worker.abandon();
  // A thread that does nothing but yield may never be outside of this function in a time slice.
  if (worker.launch->timed_out.load(std::memory_order_relaxed)) look_at_late(worker);
  Thread& me = current_thread(worker);
  Block& block = *worker.block;
  block.threads.make_ready(me.id);
  if (!block.threads.all_started()) return go(start_loop(worker, &me.context));
  worker.watch.see_own_progress(block);
  const bool starts = is_stuck(worker.watch, block, rounds) && leave_block(worker);
  go(starts ? start_loop(worker, &me.context) : leave(worker, me));
}

#if CUDACPU_DIAGNOSTICS
void run_first(Worker& worker, Block* block, unsigned id) {
  Thread& me = current_thread(worker);
  Block& mine = *worker.block;
  if (!block) {
    if (worker.launch->cooperative || !worker.start_block()) return;
    mine.threads.make_ready(me.id);
    go(start_loop(worker, &me.context));
    return;
  }
  mine.threads.make_ready(me.id);
  if (block != worker.block) worker.enter(*block);
  if (block->threads.is_ready(id)) {
    Thread& thread = *block->threads.take(id);
    if (&thread != &me) go(resume(worker, thread, &me.context));
  } else {
    go(block->threads.has_started(id) ? leave(worker, me) : start_loop(worker, &me.context));
  }
}
#endif

void yield() {
  Worker* worker = context.worker;
  if (!worker || worker->launch->body.in_lockstep) return;
  set_busy(1);
  yield_now(*worker);
  set_busy(0);
}

void many_atomics() {
  constexpr int kBudget = 256, kBudgetAgain = 64;
  Worker* worker = context.worker;
  const bool idle = worker && worker->block->idle;
  context.atomics_left = idle ? kBudgetAgain : kBudget;
  if (!worker) return;
  const uint64_t thread = uint64_t{blockIdx.x} << 40 ^ uint64_t { blockIdx.y } << 20 ^
                          uint64_t { blockIdx.z } << 10 ^ linear_thread();
  if (idle || worker->watch.is_spinning(thread)) yield();
}

}  // namespace cudacpu

#include "scheduler/threads/yield.h"

#include <sched.h>

#include "scheduler/threads/resident_blocks.h"
#include "scheduler/threads/switch.h"

namespace cudacpu {
namespace {

// A block may wait for a block that has not started if each of its threads that can run has yielded
// this often and done nothing else that is visible.
constexpr unsigned kIdleYields = 20;
// Lanes that wait until nothing else can run go on without those that have yielded so many times as
// often: these wait for them in a loop. One that was only interrupted comes sooner, and the lanes
// of a warp that go on without it would be out of step.
constexpr unsigned kIdleTimes = 5;

// All threads of the running block that can run have only yielded for a while: the value that they
// wait for may be written by another worker, or by a block that waits for this worker. Switches to
// another block that was started, or, if each has had a turn since the last time, to a new one;
// returns true if a new one is to start.
bool leave_block(Worker& worker) {
  sched_yield();
  const size_t resident = worker.resident.size();
  if (++worker.idle_blocks >= resident && resident < worker.launch->most_resident &&
      start_block(worker)) {
    worker.idle_blocks = 0;
    return true;
  }
  if (Block* other = other_runnable(worker)) enter_block(worker, *other);
  return false;
}

}  // namespace

void yield_now(Worker& worker, unsigned rounds) {
  if (worker.launch->failed.load(std::memory_order_relaxed)) worker.abandon();
  Thread& me = current_thread(worker);
  Block& block = *worker.block;
  block.ready.add(me.id);
  if (!block.all_started()) {
    go(start_loop(worker, &me.context));
    return;
  }
  if (worker.progress != worker.last_progress) {
    worker.last_progress = worker.progress;
    worker.idle_yields = worker.idle_times = 0;
  }
  if (block.ready.size() > 1 || !block.complete_all()) {
    worker.idle_yields += rounds ? rounds * block.ready.size() : 1;
    if (block.ready.size() == 1) sched_yield();
    if (worker.idle_yields >= kIdleYields * block.ready.size()) {
      worker.idle_yields = 0;
      const bool others_go_on = block.complete_all() || (++worker.idle_times % kIdleTimes == 0 &&
                                                         block.answer_active_masks());
      if (!others_go_on && leave_block(worker)) {
        go(start_loop(worker, &me.context));
        return;
      }
    }
  }
  go(leave(worker, me));
}

#if CUDACPU_DIAGNOSTICS
void run_first(Worker& worker, Block* block, unsigned id) {
  Thread& me = current_thread(worker);
  Block& mine = *worker.block;
  if (!block) {
    if (worker.launch->cooperative || !start_block(worker)) return;
    mine.ready.add(me.id);
    go(start_loop(worker, &me.context));
    return;
  }
  mine.ready.add(me.id);
  if (block != worker.block) enter_block(worker, *block);
  if (block->ready.has(id)) {
    block->ready.remove(id);
    Thread& thread = block->thread_states[id];
    if (&thread != &me) go(resume(worker, thread, &me.context));
  } else if (id >= block->next_start) {
    go(start_loop(worker, &me.context));
  } else {
    go(leave(worker, me));
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
  constexpr int kBudget = 256;
  context.atomics_left = kBudget;
  Worker* worker = context.worker;
  if (!worker) return;
  // Only a thread that used up a whole budget alone can be spinning.
  uint64_t spinner = uint64_t{blockIdx.x} << 40 ^ uint64_t { blockIdx.y } << 20 ^
                     uint64_t { blockIdx.z } << 10 ^ linear_thread();
  if (spinner != worker->last_spinner) {
    worker->last_spinner = spinner;
    return;
  }
  yield();
}

}  // namespace cudacpu

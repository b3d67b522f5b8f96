#include "scheduler/threads/yield.h"

#include <sched.h>

#include "base/clock.h"
#include "scheduler/threads/resident_blocks.h"
#include "scheduler/threads/stop.h"
#include "scheduler/threads/switch.h"

namespace cudacpu {
namespace {

// A block may wait for a block that has not started if each of its threads that can run has yielded
// this often and done nothing else that is visible.
constexpr unsigned kIdleYields = 20;
// One that waited like that when it was left is looked at more briefly.
constexpr unsigned kYieldsAgain = 1;
// When all blocks of a worker wait, one more is started for each so many of them before all are
// looked at again. To look at all of them for each start would take a time that grows with the
// square of their number.
constexpr size_t kWaitingForEach = 4;
// Lanes that wait until nothing else can run go on without those that have yielded so many times as
// often: these wait for them in a loop. One that was only interrupted comes sooner, and the lanes
// of a warp that go on without it would be out of step.
constexpr unsigned kIdleTimes = 5;

// For so long, in seconds, another worker may do nothing that is visible and still be at work: the
// system may have taken the processor from it.
constexpr double kPatience = 50e-3;

// Whether another worker may still write what this one waits for: not if all of them have looked in
// vain since one of them did something last. Blocks that are started too early take stacks for all
// their threads, only to wait as well.
bool others_go_on(Worker& worker) {
  uint64_t sum = 0;
  bool all_wait = true;
  for (const auto& other : *worker.launch->workers) {
    if (other.get() == &worker || other->launch != worker.launch) continue;
    const uint64_t progress = other->progress;
    all_wait = all_wait && other->waits_at == progress && other->looked > worker.seen_looks;
    sum += progress + 1;
  }
  if (sum != worker.seen_progress) {
    note_progress_of_others(worker, sum);
    return sum != 0;
  }
  return !all_wait && now_seconds() - worker.seen_at < kPatience;
}

// Whether this worker is to start another block, now that the running one waits: all of its blocks
// do, and no other worker goes on.
bool needs_another(Worker& worker) {
  const size_t resident = worker.resident.size();
  const bool has_room = resident < worker.launch->most_resident;
  if (worker.unasked > 0 && has_room) {
    --worker.unasked;
    return true;
  }
  if (++worker.idle_blocks < resident) return false;
  if (worker.launch->crowded) sched_yield();
  worker.waits_at = worker.progress;
  worker.looked = worker.launch->vain_looks.fetch_add(1, std::memory_order_relaxed) + 1;
  worker.idle_blocks = 0;
  if (!has_room || others_go_on(worker)) return false;
  worker.unasked = resident / kWaitingForEach;
  return true;
}

// All threads of the running block that can run have only yielded for a while: the value that they
// wait for may be written by another worker, or by a block that waits for this worker. Switches to
// another block that was started, or to a new one; returns true if a new one is to start.
bool leave_block(Worker& worker) {
  // Where other programs run, each such call may cost the processor for some time.
  if (worker.launch->crowded && !worker.block->idle) sched_yield();
  worker.block->idle = true;
  if (needs_another(worker) && start_block(worker)) {
    note_progress_of_others(worker, worker.seen_progress);
    return true;
  }
  if (Block* other = other_runnable(worker)) enter_block(worker, *other);
  return false;
}

}  // namespace

void note_progress_of_others(Worker& worker, uint64_t progress) {
  worker.seen_progress = progress;
  worker.seen_looks = worker.launch->vain_looks.load(std::memory_order_relaxed);
  worker.seen_at = now_seconds();
}

void yield_now(Worker& worker, unsigned rounds) {
  if (worker.launch->failed.load(std::memory_order_relaxed)) worker.abandon();
  // Time slices may never find a thread outside of this function that does nothing but yield.
  if (worker.launch->timed_out.load(std::memory_order_relaxed)) look_at_late(worker);
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
    worker.idle_blocks = 0;
    block.idle = false;
  }
  if (block.ready.size() > 1 || !block.complete_all()) {
    worker.idle_yields += rounds ? rounds * block.ready.size() : 1;
    const unsigned enough = block.idle ? kYieldsAgain : kIdleYields;
    const unsigned times = kIdleTimes * kIdleYields / enough;
    if (worker.idle_yields >= enough * block.ready.size()) {
      worker.idle_yields = 0;
      const bool others_go_on =
          block.complete_all() || (++worker.idle_times % times == 0 && block.answer_active_masks());
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
  constexpr int kBudget = 256, kBudgetAgain = 64;
  Worker* worker = context.worker;
  const bool idle = worker && worker->block->idle;
  context.atomics_left = idle ? kBudgetAgain : kBudget;
  if (!worker) return;
  // Only a thread that used up a whole budget alone can be spinning.
  uint64_t spinner = uint64_t{blockIdx.x} << 40 ^ uint64_t { blockIdx.y } << 20 ^
                     uint64_t { blockIdx.z } << 10 ^ linear_thread();
  if (spinner != worker->last_spinner && !idle) {
    worker->last_spinner = spinner;
    return;
  }
  yield();
}

}  // namespace cudacpu

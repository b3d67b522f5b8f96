#include "scheduler/threads/switch.h"

#include "scheduler/threads/resident_blocks.h"
#include "scheduler/threads/stop.h"
#include "scheduler/threads/wide_barrier.h"

namespace cudacpu {

Thread& first_wait(Worker& worker) {
  Block& block = *worker.block;
  // The two are read separately, because the processor cannot forward two recent stores to one load
  // of both.
  const volatile uint3& now = threadIdx;
  unsigned x = now.x, y = now.y, z = now.z;
  unsigned id = x + blockDim.x * (y + blockDim.y * z);
  Thread& thread = block.thread_states[id];
  thread.index = {x, y, z};
  thread.id = id;
  thread.fiber = worker.fiber;
  thread.wait = Wait::kNothing;
  thread.meeting = nullptr;
  block.alive.add(id);
  block.next_start = id + 1;
  if (++x == blockDim.x) {
    x = 0;
    if (++y == blockDim.y) {
      y = 0;
      ++z;
    }
  }
  block.next_index = {x, y, z};
  context.thread = worker.first_turn = &thread;
  return thread;
}

Next choose(Worker& worker, unsigned after, Thread** chosen) {
  for (;;) {
    Launch& launch = *worker.launch;
    if (launch.failed.load(std::memory_order_relaxed)) worker.abandon();
    if (launch.timed_out.load(std::memory_order_relaxed)) {
      bool waited = after < kMaxBlockThreads && worker.block->alive.has(after);
      stop_late(worker, waited ? call_of(worker.block->thread_states[after].site) : nullptr);
    }
    Block& block = *worker.block;
    if (!block.ready.empty()) {
      *chosen = take_next(block, after);
      return Next::kThread;
    }
    if (!block.all_started()) return Next::kLoop;
    if (block.alive.empty()) {
      // The usual case: the same Block again.
      if (worker.resident.size() == 1 && !launch.cooperative && launch.cluster_blocks == 1) {
        uint64_t number;
        if (!deal(worker, &number)) {
          retire_block(worker);
          return Next::kOver;
        }
        observe::block_end(block);
        block.begin(launch, number);
        blockIdx = block.index;
        observe::block_begin(block);
        if (block.parked.size() == block.threads) {
          block.restart();
          continue;
        }
        release_parked(worker, block);
        return Next::kLoop;
      }
      retire_block(worker);
      if (!worker.resident.empty()) {
        enter_block(worker, *worker.resident.front());
        after = kMaxBlockThreads;
        if (runnable(*worker.block, launch)) continue;
      }
      if (start_block(worker)) return Next::kLoop;
      if (worker.resident.empty()) return Next::kOver;
      continue;
    }
    if (block.complete_all()) continue;
    if (block.answer_active_masks()) {
      worker.idle_times = 0;
      continue;
    }
    if (runnable(block, launch)) continue;
    if (Block* other = other_runnable(worker)) {
      enter_block(worker, *other);
      after = kMaxBlockThreads;
      continue;
    }
    bool grid = false;
    for (Block* b : worker.resident)
      grid |= b->grid_waiting;
    if (launch.cooperative && start_block(worker)) return Next::kLoop;
    if (!grid) stop_deadlocked(worker);
    if (!block.grid_waiting) {
      for (Block* b : worker.resident) {
        if (b->grid_waiting) enter_block(worker, *b);
      }
    }
    wait_for_grid(worker);
  }
}

namespace {

// The loop over the threads has ended, and none of the last threads had to wait.
__attribute__((noinline)) void end_loop(Worker& worker) {
  set_busy(1);
  Block& block = *worker.block;
  block.next_start = block.threads;
  check_grid(worker, block);
  check_cluster(block);
  Thread* thread;
  Next next = choose(worker, kMaxBlockThreads, &thread);
  if (next == Next::kLoop) return;
  worker.fibers.give(worker.fiber);
  go(next == Next::kOver ? Departure{&worker.discarded, worker.main_context}
                         : resume(worker, *thread, &worker.discarded));
}

}  // namespace

// Its frame is kept small: each thread of a block that waits has one, and they compete for the
// first-level cache.
void fiber_main() {
  for (;;) {
    Worker& worker = *context.worker;
    const Body& body = worker.launch->body;
    auto run = body.run_simple && !worker.replaying ? body.run_simple : body.run;
    context.thread = context.last_to_barrier = context.last_to_end = nullptr;
    context.last_to_meet = nullptr;
    threadIdx.x = kBetweenThreads;
    set_busy(0);
    run(body.closure, worker.block->next_index);
    end_loop(worker);
  }
}

Departure finish_thread() {
  set_busy(1);
  Worker& worker = *context.worker;
  Thread& ended = current_thread(worker);
  Block& block = *worker.block;
  // If the next block also reaches this point, its thread of this number can continue where this
  // one was. Such a block begins with all its threads there, as if after a barrier.
  const bool parks = !CUDACPU_DIAGNOSTICS && worker.resident.size() == 1 &&
                     !worker.launch->cooperative && worker.launch->cluster_blocks == 1;
  if (parks) {
    block.parked.add(ended.id);
  } else {
    worker.fibers.give(ended.fiber);
  }
  StackPointer* save = parks ? &ended.context : &worker.discarded;
  // A barrier may have waited only for this thread. complete_all() completes the meetings of its
  // warp, and everything else that waits for threads that end without ever having waited.
  observe::thread_end(ended.id);
  block.alive.remove(ended.id);
  if (block.cluster) leave_cluster(block, ended.id);
  worker.progress = worker.progress + 1;
  Thread* thread;
  if (block.barrier_arrived == 0 && block.grid_arrived == 0 && !block.cluster &&
      !block.ready.empty()) {
    thread = take_next(block, ended);
    Departure departure = resume(worker, *thread, save);
    if (parks) context.last_to_end = last_ready(block);
    return departure;
  }
  block.check_barrier();
  check_grid(worker, block);
  check_cluster(block);
  switch (choose(worker, ended.id, &thread)) {
    case Next::kThread: {
      const Departure departure = resume(worker, *thread, save);
      // It is the only thread of the next block as well: its fiber is already at the right place.
      return thread == &ended ? Departure{nullptr, nullptr} : departure;
    }
    case Next::kLoop:
      return start_loop(worker, save);
    default:
      return {&worker.discarded, worker.main_context};
  }
}

}  // namespace cudacpu

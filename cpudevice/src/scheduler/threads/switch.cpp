#include "scheduler/threads/switch.h"

#include <sched.h>

#include "scheduler/threads/stop.h"

namespace cudacpu {
namespace {

constexpr unsigned kNoThread = kMaxBlockThreads;  // next_after(kNoThread) begins with thread 0

void stop_if_over(Worker& worker, unsigned after) {
  const Launch& launch = *worker.launch;
  if (launch.failed.load(std::memory_order_relaxed)) worker.abandon();
  if (!launch.timed_out.load(std::memory_order_relaxed)) return;
  const BlockThreads& threads = worker.block->threads;
  const bool waits = after < kNoThread && threads.alive().has(after);
  stop_late(worker, waits ? call_of(threads[after].site) : nullptr);
}

// A thread of the running block that can run, or the loop over the threads that have not started.
Next next_in_block(Block& block, unsigned after, Thread** chosen) {
  if (block.threads.ready_count() > 0) {
    *chosen = block.threads.take_next(after);
    return Next::kThread;
  }
  return block.threads.all_started() ? Next::kUndecided : Next::kLoop;
}

// The usual case: the next block of the grid takes the place of the running block, which has ended.
Next replace_block(Worker& worker) {
  uint64_t number;
  if (!worker.take_cluster(&number)) {
    worker.retire_block();
    return Next::kOver;
  }
  Block& block = *worker.block;
  observe::block_end(block);
  block.begin(*worker.launch, number);
  blockIdx = block.index;
  observe::block_begin(block);
  if (block.threads.restart()) return Next::kUndecided;
  worker.release_parked(block);
  return Next::kLoop;
}

// The running block has ended.
Next next_block(Worker& worker) {
  if (worker.reuses_block()) return replace_block(worker);
  worker.retire_block();
  if (!worker.blocks.empty()) {
    worker.enter(worker.blocks.front());
    if (worker.block->is_runnable(*worker.launch)) return Next::kUndecided;
  }
  if (worker.start_block()) return Next::kLoop;
  return worker.blocks.empty() ? Next::kOver : Next::kUndecided;
}

// No block of the worker can continue before the grid barrier opens. Waits for the other workers,
// unless all of them wait too and some block never comes to the barrier.
void wait_for_grid(Worker& worker) {
  Launch& launch = *worker.launch;
  GridBarrier& barrier = launch.grid_barrier;
  const auto& blocks = worker.blocks.all();
  const auto waiting = std::find_if(blocks.rbegin(), blocks.rend(),
                                    [](const Block* block) { return block->grid.waits(); });
  if (waiting == blocks.rend()) stop_deadlocked(worker);
  if (!worker.block->grid.waits()) worker.enter(**waiting);
  const uint64_t openings = worker.block->grid.openings();
  barrier.add_idle_worker(openings);
  for (unsigned spins = 1; barrier.openings() == openings; ++spins) {
    stop_if_over(worker, kNoThread);
    if (spins % 1024 == 0 && barrier.idle_workers() == launch.working.load() &&
        barrier.openings() == openings && launch.next_cluster.load() >= launch.clusters)
      stop_deadlocked(worker);
    sched_yield();
  }
}

// No thread of the running block can run, and not all threads have ended.
Next wait_for_others(Worker& worker) {
  Block& block = *worker.block;
  if (block.complete_all()) return Next::kUndecided;
  if (block.answer_active_masks()) {
    worker.watch.lanes_have_gone_on();
    return Next::kUndecided;
  }
  if (block.is_runnable(*worker.launch) || worker.enter_other()) return Next::kUndecided;
  if (worker.launch->cooperative && worker.start_block()) return Next::kLoop;
  wait_for_grid(worker);
  return Next::kUndecided;
}

// The loop over the threads has ended, and none of the last threads had to wait.
__attribute__((noinline)) void end_loop(Worker& worker) {
  set_busy(1);
  worker.block->threads.end_starts();
  worker.block->grid.check(*worker.launch, worker.block->threads);
  worker.block->cluster.check();
  Thread* thread;
  Next next = choose(worker, kNoThread, &thread);
  if (next == Next::kLoop) return;
  worker.fibers.give(worker.fiber);
  go(next == Next::kOver ? Departure{&worker.discarded, worker.main_context}
                         : resume(worker, *thread, &worker.discarded));
}

}  // namespace

Thread& first_wait(Worker& worker) {
  Thread& thread = worker.block->threads.first_wait(worker.fiber);
  context.thread = worker.first_turn = &thread;
  return thread;
}

Next choose(Worker& worker, unsigned after, Thread** chosen) {
  for (;;) {
    stop_if_over(worker, after);
    Block* const block = worker.block;
    Next next = next_in_block(*block, after, chosen);
    if (next == Next::kUndecided)
      next = block->threads.alive().empty() ? next_block(worker) : wait_for_others(worker);
    if (next != Next::kUndecided) return next;
    if (worker.block != block) after = kNoThread;
  }
}

// The frame is kept small: each thread of a block that waits has a frame of this function, and the
// frames compete for the first-level cache.
void fiber_main() {
  for (;;) {
    Worker& worker = *context.worker;
    const Body& body = worker.launch->body;
    auto run = body.run_simple && !worker.replaying ? body.run_simple : body.run;
    context.thread = nullptr;
    end_quick_turns();
    threadIdx.x = kBetweenThreads;
    set_busy(0);
    run(body.closure, worker.block->threads.next_index());
    end_loop(worker);
  }
}

Departure finish_thread() {
  set_busy(1);
  Worker& worker = *context.worker;
  Thread& ended = current_thread(worker);
  Block& block = *worker.block;
  // If the next block also reaches this point, its thread of the same number can continue where the
  // ended thread was. The next block then begins with all threads here, as if after a barrier.
  const bool parks = !CUDACPU_DIAGNOSTICS && worker.reuses_block();
  if (parks) {
    block.threads.park(ended.id);
  } else {
    worker.fibers.give(ended.fiber);
  }
  StackPointer* save = parks ? &ended.context : &worker.discarded;
  // A barrier may have waited only for this thread. complete_all() completes the meetings of the
  // thread's warp, and everything else that waits for threads that end without ever having waited.
  observe::thread_end(ended.id);
  block.threads.end(ended.id);
  if (block.cluster) block.cluster.end_thread(ended.id);
  worker.watch.note_progress();
  Thread* thread;
  if (!block.waits_at_barrier() && block.threads.ready_count() > 0) {
    thread = block.threads.take_next(ended);
    Departure departure = resume(worker, *thread, save);
    if (parks) context.last_to_end = block.threads.last_ready(*thread);
    return departure;
  }
  block.check_barriers(*worker.launch);
  switch (choose(worker, ended.id, &thread)) {
    case Next::kThread: {
      const Departure departure = resume(worker, *thread, save);
      // The only thread of the next block as well: the fiber is already at the right place.
      return thread == &ended ? Departure{nullptr, nullptr} : departure;
    }
    case Next::kLoop:
      return start_loop(worker, save);
    default:
      return {&worker.discarded, worker.main_context};
  }
}

}  // namespace cudacpu

#include "scheduler/threads/grid_barrier.h"

#include <sched.h>

#include "scheduler/threads/stop.h"

namespace cudacpu {
namespace {

// Whether every worker waits for this opening of the barrier, and some block never reaches it.
bool grid_is_stuck(Launch& launch, uint64_t generation) {
  std::lock_guard<std::mutex> lock(launch.grid_mutex);
  return launch.grid_generation.load() == generation && launch.grid_idle == launch.working.load() &&
         launch.next_block.load() >= launch.blocks;
}

}  // namespace

void wait_for_grid(Worker& worker) {
  Launch& launch = *worker.launch;
  uint64_t generation = worker.block->grid_generation;
  {
    std::lock_guard<std::mutex> lock(launch.grid_mutex);
    if (launch.grid_generation.load() != generation) return;
    ++launch.grid_idle;
  }
  for (unsigned spins = 0; launch.grid_generation.load() == generation; ++spins) {
    if (launch.failed.load(std::memory_order_relaxed)) worker.abandon();
    if (launch.timed_out.load(std::memory_order_relaxed)) stop_late(worker, nullptr);
    if (spins % 1024 == 1023 && grid_is_stuck(launch, generation)) stop_deadlocked(worker);
    sched_yield();
  }
}

void release_grid(Block& block) {
  block.grid_waiting = false;
  block.grid_arrived = 0;
  for (int id = block.alive.next(0); id >= 0; id = block.alive.next(id + 1)) {
    block.thread_states[id].wait = Wait::kNothing;
    block.ready.add(id);
  }
}

void grid_block_arrives(Launch& launch, bool ended) {
  std::lock_guard<std::mutex> lock(launch.grid_mutex);
  if (ended) {
    --launch.grid_live;
  } else {
    ++launch.grid_arrived;
  }
  if (launch.grid_arrived == launch.grid_live && launch.grid_arrived > 0) {
    launch.grid_arrived = 0;
    launch.grid_idle = 0;
    launch.grid_generation.fetch_add(1);
    observe::grid_complete(launch);
  }
}

void block_waits_for_grid(Worker& worker, Block& block) {
  block.grid_generation = worker.launch->grid_generation.load();
  block.grid_waiting = true;
  grid_block_arrives(*worker.launch, false);
}

}  // namespace cudacpu

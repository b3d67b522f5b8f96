#include "scheduler/threads/wide_barrier.h"

#include <sched.h>

#include "diagnostics/observer.h"
#include "driver_types.h"
#include "scheduler/threads/stop.h"

namespace cudacpu {
namespace {

// Whether every worker waits for this opening of the barrier, and some block never reaches it.
bool grid_is_stuck(Launch& launch, uint64_t generation) {
  std::lock_guard<std::mutex> lock(launch.grid_mutex);
  return launch.grid_generation.load() == generation && launch.grid_idle == launch.working.load() &&
         launch.next_cluster.load() >= launch.clusters;
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

namespace {

// Opens the barrier if all live blocks have arrived.
void open_barrier(Cluster& cluster) {
  if (cluster.arrived == 0 || cluster.arrived != cluster.live) return;
  observe::cluster_complete(cluster);
  ++cluster.phase;
  cluster.arrived = 0;
  for (Block* block : cluster.blocks) {
    if (block->cluster.get() != &cluster) continue;
    block->cluster_arrived = 0;
    block->arrived_in_cluster = false;
    for (int id = block->alive.next(0); id >= 0; id = block->alive.next(id + 1)) {
      Thread& thread = block->thread_states[id];
      if (thread.wait != Wait::kCluster) continue;
      thread.wait = Wait::kNothing;
      block->ready.add(id);
    }
  }
}

}  // namespace

uint64_t arrive_in_cluster(Block& block, unsigned id) {
  const uint64_t opening = block.cluster->phase + 1;
  if (block.cluster_arrivals[id] == opening) {
    kernel_trap(cudaErrorLaunchFailure,
                "arrives at the cluster's barrier a second time without waiting in between");
  }
  block.cluster_arrivals[id] = opening;
  ++block.cluster_arrived;
  check_cluster(block);
  return opening;
}

void check_cluster(Block& block) {
  if (!block.cluster || block.cluster_arrived == 0 || block.arrived_in_cluster) return;
  if (block.cluster_arrived != block.alive.size() || !block.all_started()) return;
  block.arrived_in_cluster = true;
  ++block.cluster->arrived;
  open_barrier(*block.cluster);
}

void leave_cluster(Block& block, unsigned id) {
  if (!block.arrived_in_cluster && block.cluster_arrivals[id] == block.cluster->phase + 1)
    --block.cluster_arrived;
}

void end_in_cluster(Block& block) {
  const std::shared_ptr<Cluster> cluster = std::move(block.cluster);
  block.cluster = nullptr;
  if (block.arrived_in_cluster) --cluster->arrived;
  --cluster->live;
  open_barrier(*cluster);
}

}  // namespace cudacpu

#include "scheduler/threads/resident_blocks.h"

#include <memory>

#include "scheduler/threads/wide_barrier.h"

namespace cudacpu {

bool runnable(Block& block, Launch& launch) {
  if (block.grid_waiting && launch.grid_generation.load() != block.grid_generation) {
    release_grid(block);
  }
  return !block.ready.empty() || !block.all_started();
}

Block* other_runnable(Worker& worker) {
  size_t n = worker.resident.size(), here = 0;
  while (worker.resident[here] != worker.block)
    ++here;
  for (size_t i = 1; i < n; ++i) {
    Block* block = worker.resident[(here + i) % n];
    if (runnable(*block, *worker.launch)) return block;
  }
  return nullptr;
}

void release_parked(Worker& worker, Block& block) {
  // The fiber of thread 0 is the first to be taken again.
  for (unsigned id = block.threads; !block.parked.empty() && id-- > 0;) {
    if (!block.parked.has(id)) continue;
    block.parked.remove(id);
    worker.fibers.give(block.thread_states[id].fiber);
  }
}

void enter_block(Worker& worker, Block& block) {
  worker.block = &block;
  blockIdx = block.index;
  context.shared = block.shared;
  context.dynamic_shared = block.dynamic_shared;
  context.function_shared = block.function_shared.get();
  observe::block_resume(block);
}

namespace {

Block* take_spare(Worker& worker) {
  if (worker.spare.empty()) worker.spare.push_back(std::make_unique<Block>());
  Block* block = worker.spare.back().release();
  worker.spare.pop_back();
  if (block->prepared_for != worker.launch->number) block->prepare(*worker.launch);
  return block;
}

void start_cluster(Worker& worker, uint64_t number) {
  const Launch& launch = *worker.launch;
  const auto cluster = std::make_shared<Cluster>();
  cluster->number = number;
  for (unsigned rank = 0; rank < launch.cluster_blocks; ++rank) {
    Block* block = take_spare(worker);
    cluster->blocks.push_back(block);
    block->begin(launch, cluster, rank);
    worker.resident.push_back(block);
    enter_block(worker, *block);
    observe::block_begin(*block);
  }
  cluster->live = launch.cluster_blocks;
  observe::cluster_begin(*cluster);
  enter_block(worker, *cluster->blocks[0]);
}

}  // namespace

bool start_block(Worker& worker) {
  Launch& launch = *worker.launch;
  uint64_t number;
  if (!deal(worker, &number)) return false;
  if (launch.cluster_blocks > 1) {
    start_cluster(worker, number);
    return true;
  }
  Block* block = take_spare(worker);
  block->begin(launch, number);
  worker.resident.push_back(block);
  enter_block(worker, *block);
  observe::block_begin(*block);
  return true;
}

void retire_block(Worker& worker) {
  Block* block = worker.block;
  observe::block_end(*block);
  if (!block->bulk_stores.empty()) block->finish_bulk_stores();
  release_parked(worker, *block);
  if (worker.launch->cooperative) grid_block_arrives(*worker.launch, true);
  if (block->cluster) end_in_cluster(*block);
  auto& resident = worker.resident;
  resident.erase(std::find(resident.begin(), resident.end(), block));
  worker.spare.emplace_back(block);
}

}  // namespace cudacpu

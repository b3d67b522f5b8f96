#include "scheduler/threads/resident_blocks.h"

#include <memory>

#include "scheduler/threads/grid_barrier.h"

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

bool start_block(Worker& worker) {
  Launch& launch = *worker.launch;
  uint64_t number;
  if (!deal(worker, &number)) return false;
  if (worker.spare.empty()) worker.spare.push_back(std::make_unique<Block>());
  Block* block = worker.spare.back().release();
  worker.spare.pop_back();
  if (block->prepared_for != launch.number) block->prepare(launch);
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
  auto& resident = worker.resident;
  resident.erase(std::find(resident.begin(), resident.end(), block));
  worker.spare.emplace_back(block);
}

}  // namespace cudacpu

// Barriers of several blocks: of a cooperative launch, among all blocks of the grid, and of a
// cluster.
#pragma once

#include "scheduler/threads/worker.h"

namespace cudacpu {

// A whole block has reached the grid barrier, or has ended.
void grid_block_arrives(Launch& launch, bool ended);

// All live threads of the block are at the grid barrier, so the block is.
void block_waits_for_grid(Worker& worker, Block& block);
// If all live threads of the block are at the grid barrier, the block is.
inline void check_grid(Worker& worker, Block& block) {
  if (block.grid_arrived == 0 || block.grid_waiting) return;
  if (block.grid_arrived != block.alive.size() || !block.all_started()) return;
  block_waits_for_grid(worker, block);
}

// The barrier at which the block waited is open: its threads can continue.
void release_grid(Block& block);

// Waits for the other workers, because no block of this worker can continue before the barrier
// opens.
void wait_for_grid(Worker& worker);

// A live thread of the block arrives at its cluster's barrier; returns how often the barrier must
// have opened before it may go on.
uint64_t arrive_in_cluster(Block& block, unsigned id);
// If all live threads of the block have arrived at its cluster's barrier, the block has.
void check_cluster(Block& block);
// A thread of the block has ended, and is no longer alive.
void leave_cluster(Block& block, unsigned id);
// The block has ended.
void end_in_cluster(Block& block);

}  // namespace cudacpu

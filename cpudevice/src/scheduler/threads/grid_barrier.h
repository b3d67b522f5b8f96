// The barrier of a cooperative launch, among all blocks of the grid.
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

}  // namespace cudacpu

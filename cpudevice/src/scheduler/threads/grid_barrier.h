// The barrier of a cooperative launch, among all blocks of the grid.
#pragma once

#include "scheduler/threads/worker.h"

namespace cudacpu {

// A whole block has come to the grid barrier, or has ended.
void grid_block_arrives(Launch& launch, bool ended);

// All live threads of the block stand at the grid barrier, so the block does.
void block_waits_for_grid(Worker& worker, Block& block);
// If all live threads of the block stand at the grid barrier, the block does.
inline void check_grid(Worker& worker, Block& block) {
  if (block.grid_arrived == 0 || block.grid_waiting) return;
  if (block.grid_arrived != block.alive.size() || !block.all_started()) return;
  block_waits_for_grid(worker, block);
}

// The barrier that the block waited in is open: its threads can go on.
void release_grid(Block& block);

// No block of this worker can go on before the barrier opens: waits for the other workers.
void wait_for_grid(Worker& worker);

}  // namespace cudacpu

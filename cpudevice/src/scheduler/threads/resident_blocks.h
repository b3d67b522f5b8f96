// The blocks that a worker has started and not finished: which blocks it gets, and which one's
// threads run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "scheduler/threads/worker.h"

namespace cudacpu {

// Gives this worker the number of its next cluster, which mostly is a single block. They are dealt
// in increasing order, in runs. A run is long enough that the shared counter costs little and
// neighbouring workers write to different pages, and otherwise as short as possible, because a
// block may wait for blocks before it.
inline bool deal(Worker& worker, uint64_t* number) {
  constexpr double kShortRun = 10e-6, kLongRun = 40e-6;
  constexpr unsigned kMaxRun = 256;
  Launch& launch = *worker.launch;
  if (worker.run_next == worker.run_end) {
    if (!launch.cooperative) {
      double now = now_seconds(), took = now - worker.run_started;
      if (took < kShortRun && worker.run_length < kMaxRun) worker.run_length *= 2;
      if (took > kLongRun && worker.run_length > 1) worker.run_length /= 2;
      worker.run_started = now;
    }
    uint64_t first = launch.next_cluster.fetch_add(worker.run_length, std::memory_order_relaxed);
    if (first >= launch.clusters) return false;
    worker.run_next = first;
    worker.run_end = std::min(first + worker.run_length, launch.clusters);
  }
  *number = worker.run_next++;
  worker.progress = worker.progress + 1;
  return true;
}

// Starts this worker's next block, with all others of its cluster, or returns that none is left.
bool start_block(Worker& worker);
// Makes `block` the one whose threads run.
void enter_block(Worker& worker, Block& block);
// The running block has ended.
void retire_block(Worker& worker);
// Frees the fibers of the threads of an ended block.
void release_parked(Worker& worker, Block& block);

// Whether a thread of the block can run.
bool runnable(Block& block, Launch& launch);
// Returns another block of this worker that can continue; null if there is none.
Block* other_runnable(Worker& worker);

}  // namespace cudacpu

// A block: its threads, the barriers and meetings at which they wait, its shared memory and copies.
//
// A block stays on its worker. Its CUDA threads run one after the other on one fiber, as a loop,
// until a thread has to wait: from then on the fiber is the thread's own (Thread), and a fresh
// fiber continues the loop. A kernel without barriers needs no switch at all, nor does a kernel in
// lock-step, whose body loops over the threads (cudacpu/lockstep.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "diagnostics/observer.h"
#include "scheduler/block/block_barrier.h"
#include "scheduler/block/block_memory.h"
#include "scheduler/block/block_threads.h"
#include "scheduler/block/meeting.h"
#include "scheduler/block/pending_copies.h"
#include "scheduler/block/wide_barrier.h"
#include "scheduler/launch/launch.h"

namespace cudacpu {

struct Block {
  uint64_t number;  // in the grid
  uint3 index;
  bool idle = false;          // another block got its turn because all threads had only yielded
  uint64_t prepared_for = 0;  // Launch::number
  BlockThreads threads;
  BlockBarrier barrier;
  std::vector<NamedBarrier> named;  // by number; empty until the first use
  GridMember grid;
  ClusterMember cluster{threads};
  WarpMeetings meetings;
  BlockMemory memory;
  PendingCopies copies;

  // Prepares for a launch; begin() then starts one block after the other.
  void prepare(const Launch& launch);
  void begin(const Launch& launch, uint64_t linear);
  // Starts the block of the next rank in a cluster.
  void begin(const Launch& launch, const std::shared_ptr<Cluster>& own);

  // Opens the barrier if all live threads have arrived.
  bool check_barrier();
  // A thread has arrived or ended: looks at all barriers.
  void check_barriers(Launch& launch);
  bool waits_at_barrier() const { return !barrier.is_empty() || !grid.is_empty() || cluster; }
  void complete(Meeting& meeting, unsigned warp);
  // Completes the barriers and meetings whose missing threads have ended without ever waiting.
  // Returns true if any thread became ready.
  bool complete_all();
  // Nothing else can run: the lanes that ask which lanes are active are the active lanes, grouped
  // by the place of the question. Returns true if any lane asked.
  bool answer_active_masks();
  // Whether a thread can run.
  bool is_runnable(const Launch& launch) {
    grid.look(launch, threads);
    return threads.ready_count() > 0 || !threads.all_started();
  }
};

inline bool Block::check_barrier() {
  if (!barrier.is_complete(threads)) return false;
  barrier.open();
  observe::barrier_complete(*this);
  threads.make_all_ready();
  return true;
}

inline void Block::check_barriers(Launch& launch) {
  check_barrier();
  grid.check(launch, threads);
  cluster.check();
}

inline void Block::complete(Meeting& meeting, unsigned warp) {
  const unsigned lanes = meeting.complete();
  observe::warp_complete(*this, warp, meeting.mask, lanes);
  threads.make_ready(warp, lanes);
}

}  // namespace cudacpu

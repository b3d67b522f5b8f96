// A block: its threads, which of them wait and where, and its shared memory.
//
// A block stays on its worker. Its CUDA threads run one after the other on one fiber, as a loop,
// until one of them has to wait: from then on that fiber is that thread's own (Thread), and a fresh
// fiber continues the loop. A kernel without barriers needs no switch at all. Neither does a kernel
// in lock-step, because its body loops over the threads (cudacpu/lockstep.h).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "cudacpu/turns.h"
#include "diagnostics/observer.h"
#include "scheduler/launch/launch.h"
#include "scheduler/threads/meeting.h"
#include "scheduler/threads/thread_set.h"

namespace cudacpu {

struct AsyncCopy {
  void* to;
  uint64_t low, high;  // what is copied
  unsigned bytes;
  const void* site;  // where it was started
};

// The pending copies of one thread: see include/cudacpu/device/async_copy.h.
struct AsyncCopies {
  std::vector<AsyncCopy> copies;
  std::vector<size_t> groups;  // where each ends in `copies`
  size_t done = 0;             // copies
  size_t done_groups = 0;
};

// A bulk copy that was started: see include/cudacpu/device/mbarrier.h.
struct BulkCopy {
  void* to;
  const void* from;
  std::vector<char> data;  // read when it was started
  void* mbarrier;          // of a copy to shared memory
  const void* site;        // where it was started
};

// Those to global memory of one thread.
struct BulkStores {
  std::vector<BulkCopy> copies;
  std::vector<size_t> groups;  // where each ends in `copies`
  size_t read = 0, written = 0;
};

// A barrier at which some threads of the block meet.
struct NamedBarrier {
  unsigned arrived = 0, expected = 0;  // threads
  ThreadSet waiting;                   // those that have arrived and wait
};

struct Block;

// Blocks that one worker starts together and that are alive at the same time.
struct Cluster {
  uint64_t number;             // in the grid
  std::vector<Block*> blocks;  // by rank; those that have ended may belong to another cluster
  unsigned live = 0;           // blocks that have not ended
  unsigned arrived = 0;        // of those, at the barrier
  uint64_t phase = 0;          // barriers that have opened
};

struct Block {
  uint64_t number;  // in the grid
  uint3 index;
  unsigned threads;          // in the block
  unsigned next_start;       // the first thread that has not started; stale while the loop runs
  uint3 next_index;          // its index
  ThreadSet alive;           // threads that have waited and not ended
  ThreadSet ready;           // those of them that can go on; not the running one
  ThreadSet parked;          // ended threads that keep their fibers, for another block
  unsigned barrier_arrived;  // when all live threads have, the barrier opens for just those
  BarrierResult reduced;     // of the last barrier
  BarrierResult reducing;    // of the present one
  unsigned grid_arrived;     // threads at the grid barrier
  uint64_t grid_generation;  // the barrier that the whole block waits in
  bool grid_waiting;
  bool idle = false;  // its threads had only yielded for a while when another block ran last
  std::shared_ptr<Cluster> cluster;  // null if the launch has none
  unsigned rank = 0;                 // in its cluster
  // The cluster's barrier: the last phase in which each thread arrived, and how many did in this
  // one.
  std::vector<uint64_t> cluster_arrivals;
  unsigned cluster_arrived = 0;
  bool arrived_in_cluster = false;  // the whole block
  char* shared;
  char* dynamic_shared;
  size_t shared_bytes;  // both
  std::unique_ptr<char, decltype(&free)> function_shared{nullptr, free};
  size_t function_shared_bytes = 0;
  uint64_t prepared_for = 0;   // Launch::number
  char* shared_map = nullptr;  // shared memory ends at a guard page
  std::vector<Thread> thread_states;
  std::vector<Warp> warps;
  std::vector<NamedBarrier> named;  // by number, where there are any
  std::vector<AsyncCopies> copies;  // of each thread, where there are any
  std::vector<BulkCopy> bulk_loads;
  std::vector<BulkStores> bulk_stores;  // of each thread, where there are any

  Block();
  ~Block();
  // Lays out shared memory for a launch; after that begin() starts one block after the other.
  void prepare(const Launch& launch);
  void begin(const Launch& launch, uint64_t linear);
  // The same for block number `rank` of a cluster.
  void begin(const Launch& launch, const std::shared_ptr<Cluster>& cluster, unsigned rank);
  // Starts the threads of the last block again, all of which are parked.
  void restart();
  bool all_started() const { return next_start >= threads; }
  // Carries out what no thread has waited for.
  void finish_bulk_stores();
  // The lanes of a warp that may still reach a meeting.
  unsigned present_lanes(unsigned warp) const;
  void release_barrier();
  bool check_barrier();
  void complete(Meeting& meeting, unsigned warp);
  // Completes the barriers and meetings that waited for threads that ended without ever waiting.
  // Returns true if any thread became ready.
  bool complete_all();
  // Nothing else can run: the lanes that ask which lanes are active are the active ones, each group
  // at one place together. Returns true if any asked.
  bool answer_active_masks();
};

inline void Block::restart() {
  next_start = threads;
  ready = alive = parked;
  parked.clear();
}

inline unsigned Block::present_lanes(unsigned warp) const {
  unsigned first = warp * kWarpSize;
  unsigned lanes = alive.warp(warp);
  unsigned from = next_start > first ? next_start - first : 0;
  unsigned to = threads - first < kWarpSize ? threads - first : kWarpSize;
  if (from < to) lanes |= (to == kWarpSize ? ~0u : (1u << to) - 1) & ~0u << from;
  return lanes;
}

inline void Block::release_barrier() {
  reduced = reducing;
  reducing = {0, 1, 0};
  barrier_arrived = 0;
  observe::barrier_complete(*this);
  ready = alive;
}

inline bool Block::check_barrier() {
  if (barrier_arrived == 0 || barrier_arrived != alive.size() || !all_started()) return false;
  release_barrier();
  return true;
}

inline void Block::complete(Meeting& meeting, unsigned warp) {
  meeting.views[meeting.phase].present = meeting.arrived;
  observe::warp_complete(*this, warp, meeting.mask, meeting.arrived);
  ready.add_warp(warp, meeting.arrived);
  meeting.arrived = 0;
  meeting.phase ^= 1;
}

}  // namespace cudacpu

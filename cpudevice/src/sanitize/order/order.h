// The happens-before order of accesses.
//
// Within a block a barrier orders everything and begins a new epoch. Within a warp a __syncwarp
// orders the lanes in its mask: each lane has a vector clock, the clock of every other lane up to
// which the two have waited for each other. All other order needs a release and an acquire of the
// same address: an atomic or volatile write after a fence, and an atomic or volatile read of the
// value. A release publishes what the thread, and every thread that it had acquired from, had done
// before the last fence. An acquire is kept as (address, number of releases), so that nothing is
// copied, and is followed when a pair of accesses needs an answer.
//
// On the lenient side: an acquire needs no fence after the read; a clock that would overflow (255
// fences or __syncwarps of a thread between two barriers) counts as a barrier; a search that takes
// too long ends with "ordered".
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "sanitize/memory/shadow.h"
#include "scheduler/block/block.h"

namespace cudacpu::sanitize {

struct Variable;  // an address with releases

struct Acquired {
  Variable* variable;
  uint32_t releases;
};
using AcquiredList = std::vector<Acquired>;

struct Fence {
  uint32_t id = 0;  // 0: none
  uint32_t epoch = 0;
  uint8_t clock = 0;
  bool device = false;  // reaches other blocks
  uint8_t row[kWarpSize] = {};
};

// What sanitize knows about a block. Belongs to a scheduler's Block, which runs one block of the
// grid after the other.
struct BlockState {
  const Block* block = nullptr;
  uint32_t serial = 0;  // of the block of the grid that runs now
  uint32_t epoch = 0, own_since = 0;
  Region shared, function_shared;
  uint64_t prepared_for = 0;

  // The block's cluster: the states of all its blocks, by rank; the serial of the first; and the
  // epoch before which everything they did is ordered, 0 until the cluster's barrier has opened
  // once.
  std::vector<BlockState*> cluster;
  uint32_t cluster_serial = 0, cluster_before = 0;
  Record visit = 0;  // the last access of another block to this block's shared memory
  bool ended = false;

  BlockState();

  bool clocks_used = false;
  uint8_t clock[kMaxBlockThreads];
  uint8_t known[kMaxBlockThreads][kWarpSize];
  // For each thread, up to which clock others may know what the thread did: lanes of its warp by a
  // __syncwarp, the block's and the device's threads by an acquire.
  struct Published {
    uint8_t warp, block, device;
  } published[kMaxBlockThreads];

  std::vector<Fence> fence{kMaxBlockThreads};  // each thread's last fence of device scope
  std::vector<Fence> block_fence{kMaxBlockThreads};
  std::vector<unsigned> fenced;                       // threads with a fence of the current epoch
  std::vector<std::pair<unsigned, Fence>> inherited;  // fences before the last barriers, by thread
  bool fences_used = false;

  std::vector<AcquiredList> acquired{kMaxBlockThreads};
  std::vector<unsigned> acquirers;  // threads whose list is not empty
  AcquiredList all_acquired;        // before the last barrier

  // The barrier at which threads are arriving.
  unsigned arrivals = 0, barrier_token = 0, first_arrival = 0;
  const void* barrier_site = nullptr;
  const char* barrier_what = nullptr;
  const void* passed_site = nullptr;  // the last barrier that the block has passed
  bool parted = false;                // threads have waited for each other at different places
  ThreadSet exited, returned;         // ended; by a `return` in the kernel
  unsigned exits = 0;

  const char* warp_what[kMaxBlockThreads];
  const void* warp_site[kMaxBlockThreads];
};

// Whether the access in `record` happens before the running thread's current access.
bool ordered(Record record);

// An atomic or volatile access to `address` that reads, or writes.
void acquire(uintptr_t address);
void release(uintptr_t address);
// Whether a thread of the running block has released through `address` a fence newer than the
// block's last barrier.
bool is_flag_of_block(uintptr_t address);
// The running thread has released: from now on its fences count as published.
void note_published();
void forget_releases();  // a launch begins

// ---- what the running launch does ------------------------------------------------------------
void begin_block(BlockState& block, uint32_t serial);
void resume_block(BlockState& block);
void set_thread(unsigned id);
// Begins the block's next epoch: orders everything its threads did before everything they do next.
void begin_epoch(BlockState& block);
// Also begins an epoch, and does everything else for a barrier among `threads` threads.
void pass_barrier(BlockState& block, unsigned threads);
// pass_barrier() for the barrier of a cluster; `blocks` are the blocks that have not ended.
void pass_cluster_barrier(const std::vector<BlockState*>& blocks);
// The block of the running block's cluster whose shared memory holds the address; null if none
// does.
BlockState* owner_of_shared(uintptr_t address);
void pass_fence(bool device);
void join_lanes(BlockState& block, unsigned warp, unsigned lanes);

}  // namespace cudacpu::sanitize

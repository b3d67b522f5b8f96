// The order of accesses: which one happens before which.
//
// Within a block a barrier orders everything: it begins a new epoch. Within a warp, __syncwarp
// does, among the lanes it names: each lane knows of each other lane up to which clock it has been
// waited for. Everything else needs a release and an acquire of the same address: an atomic or
// volatile write after a fence, and an atomic or volatile read of it. A release makes known what
// its thread, and all it knew of, had done before its last fence; what was acquired is kept as
// (address, how many releases of it), so that nothing is copied, and followed when a pair of
// accesses asks for it.
//
// On the lenient side: an acquire needs no fence behind it; a clock that would overflow (255 fences
// or __syncwarps of one thread between two barriers) counts as a barrier; a search that takes too
// long ends with "ordered".
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "sanitize/memory/shadow.h"
#include "scheduler/threads/block.h"

namespace cudacpu::sanitize {

struct Variable;  // an address that was released

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

// What sanitize knows about a block. It belongs to one of the scheduler's Blocks, which runs one
// block of the grid after the other.
struct BlockState {
  const Block* block = nullptr;
  uint32_t serial = 0;  // of the block that runs there now
  uint32_t epoch = 0, own_since = 0;
  Region shared, function_shared;
  uint64_t prepared_for = 0;

  // Its cluster: the states of all its blocks, by rank, of which the first has this serial; and the
  // epoch before which all that they did is ordered, 0 until their barrier has opened once.
  std::vector<BlockState*> cluster;
  uint32_t cluster_serial = 0, cluster_before = 0;
  Record visit = 0;  // the last access of another block to its shared memory
  bool ended = false;

  BlockState();

  bool clocks_used = false;
  uint8_t clock[kMaxBlockThreads];
  uint8_t known[kMaxBlockThreads][kWarpSize];
  // Up to which clock of each thread others may know what it did: lanes of its warp that have
  // waited for it, and who has acquired what it released.
  struct Published {
    uint8_t warp, block, device;
  } published[kMaxBlockThreads];

  std::vector<Fence> fence{kMaxBlockThreads};  // the last of each thread that reaches the device
  std::vector<Fence> block_fence{kMaxBlockThreads};
  std::vector<unsigned> fenced;                       // threads with one of this epoch
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
  bool parted = false;                // its threads have waited for each other at different places
  ThreadSet exited, returned;         // ended; by a `return` in the kernel
  unsigned exits = 0;

  const char* warp_what[kMaxBlockThreads];
  const void* warp_site[kMaxBlockThreads];
};

// Whether the access in `record` is known to have happened before what the running thread does now.
bool ordered(Record record);

// An atomic or volatile access to `address` that reads, or writes.
void acquire(uintptr_t address);
void release(uintptr_t address);
// Whether a thread of the running block has released through `address` a fence that is newer than
// the block's last barrier.
bool is_flag_of_block(uintptr_t address);
// The running thread has released: from now on its fences count as published.
void note_published();
void forget_releases();  // a launch begins

// ---- what the running launch does ------------------------------------------------------------
void begin_block(BlockState& block, uint32_t serial);
void resume_block(BlockState& block);
void set_thread(unsigned id);
// Begins the block's next epoch: everything that its threads did before is ordered before
// everything they do now.
void begin_epoch(BlockState& block);
// The same for a barrier among `threads` threads, with everything else that a barrier does.
void pass_barrier(BlockState& block, unsigned threads);
// The same for the barrier of a cluster, of which these are the blocks that have not ended.
void pass_cluster_barrier(const std::vector<BlockState*>& blocks);
// The block of the running one's cluster in whose shared memory the address is; null if in none.
BlockState* owner_of_shared(uintptr_t address);
void pass_fence(bool device);
void join_lanes(BlockState& block, unsigned warp, unsigned lanes);

}  // namespace cudacpu::sanitize

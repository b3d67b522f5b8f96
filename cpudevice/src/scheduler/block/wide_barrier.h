// A block's part in the barriers of several blocks: of a cooperative launch and of a cluster.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "diagnostics/observer.h"
#include "scheduler/block/block_threads.h"
#include "scheduler/launch/launch.h"

namespace cudacpu {

// The block arrives at the grid barrier when all its live threads have arrived.
class GridMember {
 public:
  void begin() {
    arrived_ = 0;
    waits_ = false;
  }
  bool is_empty() const { return arrived_ == 0; }
  bool waits() const { return waits_; }            // the whole block
  uint64_t openings() const { return openings_; }  // of the barrier when the block arrived
  void add_arrival() { ++arrived_; }               // of a thread
  void check(Launch& launch, const BlockThreads& threads);
  // Lets the threads continue if the barrier has opened.
  void look(const Launch& launch, BlockThreads& threads);
  // The block has ended.
  static void end(Launch& launch);

 private:
  unsigned arrived_;
  bool waits_;
  uint64_t openings_;
};

class ClusterMember;

// Blocks that a worker starts together and keeps alive at the same time.
class Cluster {
 public:
  explicit Cluster(uint64_t number) : number_(number) {}
  uint64_t number() const { return number_; }                    // in the grid
  const std::vector<Block*>& blocks() const { return blocks_; }  // by rank, also after their end
  uint64_t openings() const { return openings_; }                // of the barrier

 private:
  friend class ClusterMember;
  void open_if_complete();

  const uint64_t number_;
  std::vector<Block*> blocks_;
  std::vector<ClusterMember*> live_;  // of the live blocks
  unsigned arrived_ = 0;              // blocks, at the barrier
  uint64_t openings_ = 0;
};

// The block arrives at its cluster's barrier when all its live threads have arrived.
class ClusterMember {
 public:
  explicit ClusterMember(BlockThreads& threads) : threads_(threads) {}
  // `block`, the owner of this object, becomes the next block of the cluster.
  void join(const std::shared_ptr<Cluster>& cluster, Block* block);
  void leave() { cluster_ = nullptr; }  // without the cluster's notice
  // Null if the launch has no clusters.
  const Cluster* get() const { return cluster_.get(); }
  const Cluster* operator->() const { return cluster_.get(); }
  explicit operator bool() const { return cluster_ != nullptr; }
  // A thread arrives. Returns how often the barrier must have opened before the thread may go on;
  // 0 if the thread has arrived already.
  uint64_t arrive(unsigned id);
  // Returns the result of the thread's last arrive(); 0 before the first.
  uint64_t arrival(unsigned id) const { return arrivals_[id]; }
  void check();
  // A thread has ended, and is no longer alive.
  void end_thread(unsigned id);
  // The block has ended.
  void end();

 private:
  friend class Cluster;
  BlockThreads& threads_;
  std::shared_ptr<Cluster> cluster_;
  std::vector<uint64_t> arrivals_;  // by thread
  unsigned arrived_ = 0;            // threads, since the barrier has opened
  bool waits_ = false;              // the whole block
};

inline void GridMember::check(Launch& launch, const BlockThreads& threads) {
  if (waits_ || !threads.all_arrived(arrived_)) return;
  openings_ = launch.grid_barrier.openings();
  waits_ = true;
  if (launch.grid_barrier.arrive()) observe::grid_complete(launch);
}

inline void GridMember::look(const Launch& launch, BlockThreads& threads) {
  if (!waits_ || launch.grid_barrier.openings() == openings_) return;
  begin();
  threads.alive().each([&](unsigned id) { threads.wake(id); });
}

inline void GridMember::end(Launch& launch) {
  if (launch.grid_barrier.leave()) observe::grid_complete(launch);
}

inline void ClusterMember::check() {
  if (!cluster_ || waits_ || !threads_.all_arrived(arrived_)) return;
  waits_ = true;
  ++cluster_->arrived_;
  cluster_->open_if_complete();
}

}  // namespace cudacpu

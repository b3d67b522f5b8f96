// The blocks of a worker: which blocks the launch deals to the worker, and which have started.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "scheduler/block/block.h"
#include "scheduler/launch/launch.h"

namespace cudacpu {

// Deals a worker its clusters, which mostly are single blocks, in increasing order, in runs. A run
// is so long that the shared counter costs little and neighbouring workers write to different
// pages, and otherwise as short as possible, because a block may wait for earlier blocks.
class Deal {
 public:
  void begin() {
    next_ = end_ = 0;
    length_ = 1;
    started_ = now_seconds();
  }
  bool has_more(const Launch& launch) const {
    return next_ < end_ || launch.next_cluster.load(std::memory_order_relaxed) < launch.clusters;
  }
  // Returns false if no cluster is left.
  bool take(Launch& launch, uint64_t* number) {
    if (next_ == end_ && !take_run(launch)) return false;
    *number = next_++;
    return true;
  }

 private:
  bool take_run(Launch& launch) {
    constexpr double kShortRun = 10e-6, kLongRun = 40e-6;
    constexpr unsigned kMaxRun = 256;
    if (!launch.cooperative) {
      const double now = now_seconds(), took = now - started_;
      if (took < kShortRun && length_ < kMaxRun) length_ *= 2;
      if (took > kLongRun && length_ > 1) length_ /= 2;
      started_ = now;
    }
    const uint64_t first = launch.next_cluster.fetch_add(length_, std::memory_order_relaxed);
    if (first >= launch.clusters) return false;
    next_ = first;
    end_ = std::min(first + length_, launch.clusters);
    return true;
  }

  uint64_t next_ = 0, end_ = 0;  // of the run
  unsigned length_ = 1;
  double started_ = 0;  // the run, in seconds
};

// The blocks that have started and not finished, and spare ones.
class ResidentBlocks {
 public:
  bool empty() const { return resident_.empty(); }
  size_t size() const { return resident_.size(); }
  Block& front() const { return *resident_.front(); }
  const std::vector<Block*>& all() const { return resident_; }
  // Returns a block that is prepared for the launch.
  Block& add(const Launch& launch) {
    if (spare_.empty()) spare_.push_back(std::make_unique<Block>());
    Block* const block = spare_.back().release();
    spare_.pop_back();
    if (block->prepared_for != launch.number) block->prepare(launch);
    resident_.push_back(block);
    return *block;
  }
  void remove(Block* block) {
    resident_.erase(std::find(resident_.begin(), resident_.end(), block));
    spare_.emplace_back(block);
  }
  void clear() {
    for (Block* block : resident_)
      spare_.emplace_back(block);
    resident_.clear();
  }
  // Returns the next block after `block` that can continue; null if no other block can.
  Block* runnable_after(const Block* block, const Launch& launch) const {
    const auto here = std::find(resident_.begin(), resident_.end(), block);
    const auto can_run = [&](Block* other) { return other->is_runnable(launch); };
    auto found = std::find_if(here + 1, resident_.end(), can_run);
    if (found != resident_.end()) return *found;
    found = std::find_if(resident_.begin(), here, can_run);
    return found != here ? *found : nullptr;
  }

 private:
  std::vector<Block*> resident_;
  std::vector<std::unique_ptr<Block>> spare_;
};

}  // namespace cudacpu

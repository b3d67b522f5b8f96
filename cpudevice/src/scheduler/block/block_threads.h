// The threads of a block: which have started, which are alive and which can run.
#pragma once

#include <vector>

#include "cudacpu/turns.h"
#include "scheduler/block/thread_set.h"

namespace cudacpu {

// A thread is alive from the first time that it waits until it ends; a thread that never waits runs
// in the loop over the threads and leaves no trace here. Ready threads are alive and can go on; the
// running thread is not among them. A parked thread has ended and keeps its fiber for the thread of
// the same number of the next block.
class BlockThreads {
 public:
  BlockThreads() : states_(kMaxBlockThreads + 1 + kThreadsAhead) {}
  // Prepares for the blocks of a launch, of `count` threads each.
  void prepare(unsigned count);
  void begin() {
    next_start_ = 0;
    next_index_ = {0, 0, 0};
  }
  // Starts the threads again where they are parked; returns false if some thread is not parked.
  bool restart() {
    if (parked_.size() != count_) return false;
    next_start_ = count_;
    ready_ = alive_ = parked_;
    parked_.clear();
    return true;
  }

  unsigned count() const { return count_; }
  Thread& operator[](unsigned id) { return states_[id]; }
  const Thread& operator[](unsigned id) const { return states_[id]; }
  const ThreadSet& alive() const { return alive_; }
  bool is_ready(unsigned id) const { return ready_.has(id); }
  unsigned ready_count() const { return ready_.size(); }
  // While the loop runs, only the loop knows the thread that starts next; has_started(),
  // all_started() and next_index() answer as at the loop's begin.
  bool has_started(unsigned id) const { return id < next_start_; }
  bool all_started() const { return next_start_ >= count_; }
  const uint3& next_index() const { return next_index_; }
  void prefetch_next() const { __builtin_prefetch(&states_[next_start_ + 1], 1); }
  // Whether `arrived` threads, at least one, are all threads of the block that have not ended.
  bool all_arrived(unsigned arrived) const {
    return arrived != 0 && arrived == alive_.size() && all_started();
  }
  // Returns the lanes of a warp that may still reach a meeting.
  unsigned present_lanes(unsigned warp) const;

  // The running thread, which the loop has started on `fiber`, has to wait for the first time.
  Thread& first_wait(Fiber* fiber);
  // The loop has started the last thread.
  void end_starts() { next_start_ = count_; }

  void make_ready(unsigned id) { ready_.add(id); }
  void make_ready(unsigned warp, unsigned lanes) { ready_.add_warp(warp, lanes); }
  void make_all_ready() { ready_ = alive_; }
  // Makes a thread ready whose wait is over.
  void wake(unsigned id) {
    states_[id].wait = Wait::kNothing;
    ready_.add(id);
  }

  // The calls that begin with `take` choose threads to run: ready threads before, not after.
  Thread* take(unsigned id) {
    ready_.remove(id);
    return &states_[id];
  }
  void take_range(unsigned begin, unsigned end) { ready_.remove_range(begin, end); }
  // Takes the next ready thread after number `after`, cyclically; some thread must be ready.
  Thread* take_next(unsigned after) { return take(ready_.next_after(after)); }
  Thread* take_next(const Thread& after) {
    // The next thread is mostly the neighbour, so the set is not searched: the processor predicts
    // the branch, and works on the next thread before `after` has read and written the set.
    if (__builtin_expect(ready_.has(after.id + 1), 1)) return take(after.id + 1);
    return take_next(after.id);
  }
  // Returns the last of the threads that can continue one after the other, from `first` on.
  Thread* last_ready(const Thread& first) {
    return &states_[ready_.next_missing(first.id + 1) - 1];
  }

  void end(unsigned id) { alive_.remove(id); }
  void park(unsigned id) { parked_.add(id); }
  void end_and_park_range(unsigned begin, unsigned end) {
    alive_.remove_range(begin, end);
    parked_.add_range(begin, end);
  }
  // Passes the fibers of the parked threads to `give`, the fiber of thread 0 as the last.
  template <class Give>
  void give_parked(Give give) {
    for (unsigned id = count_; !parked_.empty() && id-- > 0;) {
      if (!parked_.has(id)) continue;
      parked_.remove(id);
      give(states_[id].fiber);
    }
  }

 private:
  unsigned count_ = 0;
  unsigned next_start_ = 0;
  uint3 next_index_{};
  ThreadSet alive_, ready_, parked_;
  std::vector<Thread> states_;
};

inline unsigned BlockThreads::present_lanes(unsigned warp) const {
  const unsigned first = warp * kWarpSize;
  const unsigned from = next_start_ > first ? next_start_ - first : 0;
  const unsigned to = count_ - first < kWarpSize ? count_ - first : kWarpSize;
  unsigned lanes = alive_.warp(warp);
  if (from < to) lanes |= (to == kWarpSize ? ~0u : (1u << to) - 1) & ~0u << from;
  return lanes;
}

}  // namespace cudacpu

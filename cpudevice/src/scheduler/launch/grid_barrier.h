// The barrier among all blocks of a cooperative launch, whose blocks are on several workers.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace cudacpu {

class GridBarrier {
 public:
  void begin(uint64_t blocks) { live_ = blocks; }
  uint64_t openings() const { return openings_.load(); }
  // A block arrives, or has ended. Returns true if the barrier opens.
  bool arrive() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++arrived_;
    return open_if_complete();
  }
  bool leave() {
    std::lock_guard<std::mutex> lock(mutex_);
    --live_;
    return open_if_complete();
  }
  // A worker whose blocks all wait has nothing to do before the barrier opens for the next time
  // after `openings`.
  void add_idle_worker(uint64_t openings) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (openings_.load() == openings) ++idle_workers_;
  }
  int idle_workers() {
    std::lock_guard<std::mutex> lock(mutex_);
    return idle_workers_;
  }

 private:
  bool open_if_complete() {
    if (arrived_ != live_ || arrived_ == 0) return false;
    arrived_ = 0;
    idle_workers_ = 0;
    openings_.fetch_add(1);
    return true;
  }

  std::mutex mutex_;
  uint64_t arrived_ = 0, live_ = 0;  // blocks
  int idle_workers_ = 0;             // since the barrier has opened
  std::atomic<uint64_t> openings_{0};
};

}  // namespace cudacpu

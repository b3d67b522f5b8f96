// The watchdog: a thread that checks the workers a hundred times a second.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "scheduler/threads/worker.h"

namespace cudacpu {

// Signals workers without visible progress for a tick, so that threads spinning on a
// volatile let others run, and ends launches that take too long.
class Watchdog {
 public:
  // `workers` outlive the watchdog.
  explicit Watchdog(const std::vector<std::unique_ptr<Worker>>& workers);
  void start();
  // To be called when a launch begins, and when the launch has ended: one launch at a time.
  void watch(Launch& launch);
  void rest();
  // Whether all threads of the launch have at some time only waited, for longer than threads wait
  // for each other.
  bool saw_only_waits() const { return saw_only_waits_.load(); }

 private:
  // A moment of the watched launch, in seconds: of the clock, and of processors used until then.
  struct Moment {
    double time = 0, used = 0;
  };

  void run();

  const std::vector<std::unique_ptr<Worker>>& workers_;
  std::mutex mutex_;  // held while workers are signalled, so that their threads exist
  std::condition_variable wake_;
  Launch* watched_ = nullptr;
  std::atomic<bool> asleep_{false}, saw_only_waits_{false};
  double launch_limit_, block_limit_;  // seconds, from the begin of the launch and the last block
  double tick_;
};

}  // namespace cudacpu

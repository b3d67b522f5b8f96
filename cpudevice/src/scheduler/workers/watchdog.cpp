#include "scheduler/workers/watchdog.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "base/clock.h"
#include "scheduler/workers/fault.h"

namespace cudacpu {
namespace {

constexpr double kTickSeconds = 0.010;    // or CUDACPU_TICK
constexpr double kIdleSeconds = 1.0;      // without a launch, after which the watchdog sleeps
constexpr double kDefaultTimeLimit = 60;  // or CUDACPU_TIMEOUT

// The processor time of all threads of this process.
double processor_seconds() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

Watchdog::Watchdog(const std::vector<std::unique_ptr<Worker>>& workers)
    : workers_(workers), time_limit_(kDefaultTimeLimit), tick_(kTickSeconds) {
  if (const char* seconds = getenv("CUDACPU_TIMEOUT")) {
    double value = strtod(seconds, nullptr);
    if (value > 0) time_limit_ = value;
  }
  if (const char* seconds = getenv("CUDACPU_TICK")) {
    double value = strtod(seconds, nullptr);
    if (value > 0 && value < 1) tick_ = value;
  }
}

void Watchdog::start() {
  std::thread([this] { run(); }).detach();
}

void Watchdog::watch(Launch& launch) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    watched_ = &launch;
  }
  if (asleep_.load()) wake_.notify_one();
}

void Watchdog::rest() {
  std::lock_guard<std::mutex> lock(mutex_);
  watched_ = nullptr;
}

// On a busy machine a launch may wait for a processor most of its time, so only its processor time
// counts; but after ten times as long it is ended in any case.
bool Watchdog::is_late(double took, double used_before) const {
  if (took <= time_limit_) return false;
  return took > 10 * time_limit_ || processor_seconds() - used_before > time_limit_;
}

void Watchdog::run() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::vector<uint64_t> last(workers_.size());
  double idle_since = now_seconds();
  uint64_t number = 0;     // of the launch that was watched last
  double used_before = 0;  // of processors, when it was first seen
  for (;;) {
    usleep(static_cast<useconds_t>(tick_ * 1e6));
    std::unique_lock<std::mutex> lock(mutex_);
    if (!watched_) {
      if (now_seconds() - idle_since < kIdleSeconds) continue;
      asleep_ = true;
      wake_.wait(lock, [this] { return watched_ != nullptr; });
      asleep_ = false;
      continue;
    }
    idle_since = now_seconds();
    if (watched_->number != number) {
      number = watched_->number;
      used_before = processor_seconds();
    }
    bool late = is_late(idle_since - watched_->started, used_before);
    if (late) watched_->timed_out = true;
    bool failed = watched_->failed.load();
    for (size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = *workers_[i];
      if (worker.launch != watched_) continue;
      if (late || failed || worker.progress == last[i]) signal_worker(worker);
      last[i] = worker.progress;
    }
  }
}

}  // namespace cudacpu

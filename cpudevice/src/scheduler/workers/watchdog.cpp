#include "scheduler/workers/watchdog.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "base/clock.h"
#include "scheduler/workers/fault.h"

namespace cudacpu {
namespace {

constexpr double kTickSeconds = 0.010;  // or CUDACPU_TICK
constexpr double kIdleSeconds = 1.0;    // without a launch, after which the watchdog sleeps
constexpr int kTicksOfWaiting = 10;     // without progress, after which a launch waits for the host
constexpr double kBlockLimit = 60;      // if no limit is set
constexpr double kNoLimit = HUGE_VAL;

// The processor time of all threads of this process.
double processor_seconds() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// Returns the value of a variable, if positive, otherwise `missing`.
double variable(const char* name, double missing) {
  const char* text = getenv(name);
  const double value = text ? strtod(text, nullptr) : 0;
  return value > 0 ? value : missing;
}

// On a busy machine a launch may wait for a processor most of its time, so only its processor time
// counts; but after ten times as long the launch is ended in any case.
bool is_over(double limit, double took, double used) {
  return took > limit && (took > 10 * limit || used > limit);
}

}  // namespace

Watchdog::Watchdog(const std::vector<std::unique_ptr<Worker>>& workers)
    : workers_(workers),
      launch_limit_(variable("CUDACPU_TIMEOUT", kNoLimit)),
      block_limit_(
          variable("CUDACPU_BLOCK_TIMEOUT", launch_limit_ == kNoLimit ? kBlockLimit : kNoLimit)),
      tick_(variable("CUDACPU_TICK", kTickSeconds)) {
  if (tick_ >= 1) tick_ = kTickSeconds;
}

void Watchdog::start() {
  std::thread([this] { run(); }).detach();
}

void Watchdog::watch(Launch& launch) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    watched_ = &launch;
    saw_only_waits_ = false;
  }
  if (asleep_.load()) wake_.notify_one();
}

void Watchdog::rest() {
  std::lock_guard<std::mutex> lock(mutex_);
  watched_ = nullptr;
  saw_only_waits_ = false;
}

void Watchdog::run() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::vector<uint64_t> last(workers_.size());
  double idle_since = now_seconds();
  uint64_t number = 0;  // of the launch that was watched last
  uint64_t begun = 0;   // blocks of it
  int waiting_ticks = 0;
  Moment first, last_begin;
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
    const Moment now = {idle_since, processor_seconds()};
    if (watched_->number != number) {
      number = watched_->number;
      first = last_begin = {watched_->started, now.used};
      begun = 0;
      waiting_ticks = 0;
    }
    // Workers go on asking for blocks when none is left.
    const uint64_t dealt =
        std::min(watched_->next_cluster.load(std::memory_order_relaxed), watched_->clusters);
    if (begun != dealt) {
      begun = dealt;
      last_begin = now;
    }
    const auto is_late = [now](double limit, Moment since) {
      return is_over(limit, now.time - since.time, now.used - since.used);
    };
    const bool launch_late = is_late(launch_limit_, first);
    const bool late = launch_late || is_late(block_limit_, last_begin);
    if (late && !watched_->timed_out) {
      watched_->time_limit = launch_late ? launch_limit_ : block_limit_;
      watched_->no_block_began = !launch_late;
      watched_->only_waited = waiting_ticks > 0;
      watched_->timed_out = true;
    }
    bool failed = watched_->failed.load();
    bool goes_on = false;
    int taking_part = 0, waiting = 0;
    for (size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = *workers_[i];
      if (worker.launch != watched_) continue;
      const uint64_t progress = worker.watch.progress();
      if (late || failed || progress == last[i]) signal_worker(worker);
      goes_on |= progress != last[i];
      last[i] = progress;
      ++taking_part;
      waiting += worker.watch.only_waits();
    }
    waiting += watched_->grid_barrier.idle_workers();
    waiting_ticks = taking_part > 0 && waiting >= taking_part && !goes_on ? waiting_ticks + 1 : 0;
    if (waiting_ticks >= kTicksOfWaiting) saw_only_waits_ = true;
  }
}

}  // namespace cudacpu

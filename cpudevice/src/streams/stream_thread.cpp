#include "streams/stream_thread.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/error.h"
#include "scheduler/launch/configuration.h"
#include "scheduler/launch/stored_launch.h"
#include "scheduler/workers/pool.h"
#include "scheduler/workers/run_launch.h"
#include "streams/stream_state.h"

namespace cudacpu {
namespace {

constexpr std::chrono::milliseconds kLookAgain{10};

thread_local bool is_stream_thread = false;

class StreamThread {
 public:
  Ticket queue(cudaStream_t stream, Work work);
  void come_after(cudaStream_t stream, Ticket ticket);
  bool is_pending(Ticket ticket) const { return ticket > done_.load(); }
  Ticket pending_before(cudaStream_t stream);
  Ticket pending_anywhere() const;
  cudaError_t wait_for(Ticket ticket);
  // Waits for queued work, unless the running launch waits too; returns whether the work has been
  // done.
  bool wait_while_launch_works(Ticket ticket);

 private:
  // The last queued work that a stream's next work comes after.
  struct Last {
    Ticket ticket = 0;
    bool non_blocking = false;  // the stream does not wait for the default stream
  };

  void run();
  void note(cudaStream_t stream, Ticket ticket);

  std::mutex mutex_;  // guards all other members but the two atomics
  std::condition_variable queued_work_, did_work_;
  bool started_ = false;
  std::deque<Work> works_;
  std::map<cudaStream_t, Last> last_;
  std::atomic<Ticket> queued_{0}, done_{0};
  cudaError_t error_ = cudaSuccess;
};

// Never destroyed, since the thread may run while the process exits.
StreamThread& stream_thread() {
  static auto* const thread = new StreamThread;
  return *thread;
}

cudaStream_t legacy_is_null(cudaStream_t stream) {
  return stream == cudaStreamLegacy ? nullptr : stream;
}

bool is_non_blocking(cudaStream_t stream) {
  return !is_default(stream) && streams().has(stream) && (stream->flags & cudaStreamNonBlocking);
}

void StreamThread::run() {
  is_stream_thread = true;
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    queued_work_.wait(lock, [this] { return !works_.empty(); });
    Work work = std::move(works_.front());
    works_.pop_front();
    lock.unlock();
    const cudaError_t error = work();
    work = nullptr;
    lock.lock();
    if (error_ == cudaSuccess) error_ = error;
    ++done_;
    if (works_.empty()) last_.clear();
    did_work_.notify_all();
  }
}

void StreamThread::note(cudaStream_t stream, Ticket ticket) {
  Last& last = last_[legacy_is_null(stream)];
  last = {std::max(last.ticket, ticket), is_non_blocking(stream)};
}

Ticket StreamThread::queue(cudaStream_t stream, Work work) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!started_) {
    started_ = true;
    std::thread([this] { run(); }).detach();
    // The process ends after the queued work, as if the launches had not returned before.
    atexit([] {
      if (!is_stream_thread) stream_thread().wait_for(stream_thread().pending_anywhere());
    });
  }
  works_.push_back(std::move(work));
  const Ticket ticket = ++queued_;
  note(stream, ticket);
  queued_work_.notify_one();
  return ticket;
}

void StreamThread::come_after(cudaStream_t stream, Ticket ticket) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (is_pending(ticket)) note(stream, ticket);
}

Ticket StreamThread::pending_anywhere() const {
  if (is_stream_thread || in_kernel()) return 0;
  const Ticket queued = queued_.load();
  return is_pending(queued) ? queued : 0;
}

Ticket StreamThread::pending_before(cudaStream_t stream) {
  if (!pending_anywhere()) return 0;
  stream = legacy_is_null(stream);
  const bool non_blocking = is_non_blocking(stream);
  std::lock_guard<std::mutex> lock(mutex_);
  Ticket latest = 0;
  for (const auto& [other, last] : last_) {
    const bool in_order =
        stream == other || (!stream && !last.non_blocking) || (!other && !non_blocking);
    if (in_order && is_pending(last.ticket)) latest = std::max(latest, last.ticket);
  }
  return latest;
}

cudaError_t StreamThread::wait_for(Ticket ticket) {
  std::unique_lock<std::mutex> lock(mutex_);
  did_work_.wait(lock, [&] { return !is_pending(ticket); });
  return std::exchange(error_, cudaSuccess);
}

bool StreamThread::wait_while_launch_works(Ticket ticket) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (is_pending(ticket) && !launch_only_waits())
    did_work_.wait_for(lock, kLookAgain);
  return !is_pending(ticket);
}

}  // namespace

int launch_in_stream(KernelInfo& info, const Body& body, const LaunchConfiguration& c) {
  const bool is_on_host =
      CUDACPU_DIAGNOSTICS || is_stream_thread || (!info.may_wait_for_host && !pending_anywhere());
  if (is_on_host) return run_launch(info, body, c);
  if (int error = sticky_error()) return error;
  if (int error = check_configuration(info, c)) {
    set_last_error(error);
    return error;
  }
  const auto result = std::make_shared<int>(cudaSuccess);
  const Ticket ticket =
      queue_in(static_cast<cudaStream_t>(c.stream), [launch = StoredLaunch(info, body, c), result] {
        *result = run_stored(launch, launch.configuration.stream);
        return static_cast<cudaError_t>(*result);
      });
  if (!stream_thread().wait_while_launch_works(ticket)) return cudaSuccess;
  if (*result != cudaSuccess) set_last_error(*result);
  return *result;
}

Ticket queue_in(cudaStream_t stream, Work work) {
  return stream_thread().queue(stream, std::move(work));
}
void come_after(cudaStream_t stream, Ticket ticket) {
  stream_thread().come_after(stream, ticket);
}
bool is_pending(Ticket ticket) {
  return stream_thread().is_pending(ticket);
}
Ticket pending_before(cudaStream_t stream) {
  return stream_thread().pending_before(stream);
}
Ticket pending_anywhere() {
  return stream_thread().pending_anywhere();
}
cudaError_t wait_for(Ticket ticket) {
  return stream_thread().wait_for(ticket);
}

}  // namespace cudacpu

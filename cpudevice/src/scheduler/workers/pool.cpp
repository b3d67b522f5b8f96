#include "scheduler/workers/pool.h"

#include <cstdlib>
#include <cstring>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "diagnostics/call_watch.h"
#include "diagnostics/observer.h"
#include "driver_types.h"
#include "scheduler/workers/failure_report.h"
#include "scheduler/workers/fault.h"
#include "scheduler/workers/watchdog.h"
#include "scheduler/workers/work.h"

namespace cudacpu {
namespace {

// In the diagnostic modes, not on a GPU, the program may continue after a failed launch.
bool goes_on() {
  static const char* const text = getenv("CUDACPU_CONTINUE");
  return CUDACPU_DIAGNOSTICS && text && strcmp(text, "1") == 0;
}

class Pool {
 public:
  Pool();
  int run(Launch& launch, void* stream);
  bool launch_only_waits() const { return watchdog_.saw_only_waits(); }
  int count() const { return static_cast<int>(workers_.size()); }
  void set_stack_bytes(size_t bytes) {
    std::lock_guard<std::mutex> lock(launch_mutex_);
    for (auto& worker : workers_)
      worker->fibers.set_stack_bytes(bytes);
  }

 private:
  void help(Worker& worker);
  void start_helpers();

  std::mutex launch_mutex_;  // one launch at a time
  std::vector<std::unique_ptr<Worker>> workers_;
  bool crowded_ = false;  // more workers than processors
  bool helpers_started_ = false;
  uint64_t launches_ = 0;
  CodeRange code_;  // of the last kernel's file

  std::mutex wake_mutex_;
  std::condition_variable wake_, done_;
  Launch* current_ = nullptr;  // guarded by wake_mutex_, as is the next
  int wanted_ = 0;

  Watchdog watchdog_;
};

// The processors of this process, in a container not all of the machine's.
long processors() {
  cpu_set_t cpus;
  return sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus)
                                                       : sysconf(_SC_NPROCESSORS_ONLN);
}

Pool::Pool() : watchdog_(workers_) {
  const char* text = CUDACPU_DIAGNOSTICS ? "1" : getenv("CUDACPU_WORKERS");
  long count = text ? strtol(text, nullptr, 10) : 0;
  const long there = processors();
  count = std::clamp(count < 1 ? there : count, 1L, 256L);
  crowded_ = count > there;
  for (long i = 0; i < count; ++i)
    workers_.push_back(std::make_unique<Worker>());
  install_fault_handlers();
}

void Pool::start_helpers() {
  helpers_started_ = true;
  for (size_t i = 1; i < workers_.size(); ++i) {
    std::thread([this, i] { help(*workers_[i]); }).detach();
  }
  watchdog_.start();
}

void Pool::help(Worker& worker) {
  worker.os_thread = pthread_self();
  prepare_os_thread();
  for (;;) {
    Launch* launch;
    {
      std::unique_lock<std::mutex> lock(wake_mutex_);
      wake_.wait(lock, [this] { return current_ && wanted_ > 0; });
      --wanted_;
      launch = current_;
      launch->working.fetch_add(1);
    }
    work(worker, *launch);
    {
      std::lock_guard<std::mutex> lock(wake_mutex_);
      launch->working.fetch_sub(1);
    }
    done_.notify_one();
  }
}

int Pool::run(Launch& launch, void* stream) {
  watch_launch_begin();
  std::lock_guard<std::mutex> one_at_a_time(launch_mutex_);
  prepare_os_thread();
  if (!helpers_started_) start_helpers();
  Worker& me = *workers_[0];
  me.os_thread = pthread_self();
  for (auto& worker : workers_)
    worker->fibers.make_room_for_arguments(launch.body.closure_bytes);
  launch.number = ++launches_;
  launch.workers = &workers_;
  launch.crowded = crowded_;
  launch.started = now_seconds();
  if (!code_.has(reinterpret_cast<uintptr_t>(launch.info->entry))) {
    code_ = code_range(launch.info->entry);
  }
  launch.code = code_;
  watchdog_.watch(launch);

  observe::launch_begin(launch, stream);
  launch.working = 1;
  int helpers = static_cast<int>(std::min<uint64_t>(launch.clusters - 1, workers_.size() - 1));
  if (helpers > 0) {
    {
      std::lock_guard<std::mutex> lock(wake_mutex_);
      current_ = &launch;
      wanted_ = helpers;
    }
    wake_.notify_all();
  }
  work(me, launch);
  if (helpers > 0) {
    std::unique_lock<std::mutex> lock(wake_mutex_);
    current_ = nullptr;
    wanted_ = 0;
    done_.wait(lock, [&] { return launch.working.load() == 1; });
  }
  watchdog_.rest();
#if CUDACPU_DIAGNOSTICS
  if (!launch.failed.load() && launch.repaired.kind != Failure::kNone) {
    launch.failure = launch.repaired;
    launch.failed = 1;
  }
#endif
  int error = cudaSuccess;
  if (launch.failed.load()) {
    choose_place(launch.failure);
    error = report_failure(launch);
    if (goes_on()) {
      set_last_error(error);
    } else {
      set_sticky_error(error);
    }
  }
  observe::launch_end(launch, error);
  watch_launch_end();
  return error;
}

// Never destroyed, because a kernel may be launched, and a worker may run, while the process exits.
Pool& pool() {
  static Pool* const the_pool = new Pool;
  return *the_pool;
}

size_t stack_limit_bytes = 1024;  // CUDA's default

}  // namespace

int run_on_workers(Launch& launch, void* stream) {
  return pool().run(launch, stream);
}

bool launch_only_waits() {
  return pool().launch_only_waits();
}

int worker_count() {
  return pool().count();
}

size_t stack_limit() {
  return stack_limit_bytes;
}

int set_stack_limit(size_t bytes) {
  constexpr size_t kMost = 512 * 1024;  // CUDA's own limit
  if (bytes > kMost) return cudaErrorInvalidValue;
  stack_limit_bytes = bytes;
  // Frames are larger here than on a GPU: pointers and spilled registers are 8 bytes wide.
  pool().set_stack_bytes(3 * bytes);
  return cudaSuccess;
}

}  // namespace cudacpu

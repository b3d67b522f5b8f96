// Launches: validation, the workers that share a launch's blocks, the watchdog.
#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "graph.h"
#include "observer.h"
#include "switch.h"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace cudacpu {

__thread Context context;

namespace {

constexpr double kTickSeconds = 0.010;  // of the watchdog, or CUDACPU_TICK
constexpr double kIdleSeconds = 1.0;    // without a launch, after which the watchdog sleeps
constexpr double kDefaultTimeout = 60;  // CUDACPU_TIMEOUT

// ---- configurations pushed by <<<...>>>
// --------------------------------------------------------------------------- A stack, since the
// arguments of a launch may themselves launch.
thread_local std::vector<LaunchConfiguration> pending;

__thread bool query_open;
__thread KernelInfo* query_answer;
__thread std::optional<StoredLaunch>* stored_launch;  // where the next launch goes, if not null
__thread int handle_result;                           // of the launch_handle() that is running

// By all threads of this process.
double processor_seconds() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// ---- the pool
// -----------------------------------------------------------------------------------------------------
// Worker 0 is whichever host thread launches; the others are threads of the pool.
class Pool {
 public:
  Pool();
  int run(Launch& launch, void* stream);
  int count() const { return static_cast<int>(workers_.size()); }
  void set_stack_bytes(size_t bytes) {
    std::lock_guard<std::mutex> lock(launch_mutex_);
    for (auto& worker : workers_)
      worker->fibers.set_stack_bytes(bytes);
  }
  double timeout() const { return timeout_; }
  CodeRange code;  // of the running kernel

 private:
  void help(Worker& worker);
  bool is_late(double took, double used_before) const;
  void start_helpers();
  void watch();

  std::mutex launch_mutex_;  // one launch at a time
  std::vector<std::unique_ptr<Worker>> workers_;
  bool helpers_started_ = false;
  uint64_t launches_ = 0;

  std::mutex wake_mutex_;
  std::condition_variable wake_, done_;
  Launch* current_ = nullptr;  // guarded by wake_mutex_, as is the next
  int wanted_ = 0;

  std::mutex watch_mutex_;  // held while workers are signalled, so that they exist
  std::condition_variable watch_wake_;
  Launch* watched_ = nullptr;
  std::atomic<bool> watchdog_asleep_{false};
  double timeout_ = kDefaultTimeout;
  double tick_ = kTickSeconds;
};

Pool::Pool() {
  const char* text = CUDACPU_DIAGNOSTICS ? "1" : getenv("CUDACPU_WORKERS");
  long count = text ? strtol(text, nullptr, 10) : 0;
  if (count < 1) {
    cpu_set_t cpus;  // what this process may use, which in a container is fewer than there are
    count = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus)
                                                          : sysconf(_SC_NPROCESSORS_ONLN);
  }
  count = std::clamp(count, 1L, 256L);
  for (long i = 0; i < count; ++i)
    workers_.push_back(std::make_unique<Worker>());
  if (const char* seconds = getenv("CUDACPU_TIMEOUT")) {
    double value = strtod(seconds, nullptr);
    if (value > 0) timeout_ = value;
  }
  if (const char* seconds = getenv("CUDACPU_TICK")) {
    double value = strtod(seconds, nullptr);
    if (value > 0 && value < 1) tick_ = value;
  }
  install_fault_handlers();
}

// Never destroyed: a kernel may be launched, and a worker may run, while the process exits.
Pool& pool() {
  static Pool* const the_pool = new Pool;
  return *the_pool;
}

void Pool::start_helpers() {
  helpers_started_ = true;
  for (size_t i = 1; i < workers_.size(); ++i) {
    std::thread([this, i] { help(*workers_[i]); }).detach();
  }
  std::thread([this] { watch(); }).detach();
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
    worker.work(*launch);
    {
      std::lock_guard<std::mutex> lock(wake_mutex_);
      launch->working.fetch_sub(1);
    }
    done_.notify_one();
  }
}

// On a busy machine a launch may wait for a processor most of its time: only what it has used
// counts, but after ten times as long it is over in any case.
bool Pool::is_late(double took, double used_before) const {
  if (took <= timeout_) return false;
  return took > 10 * timeout_ || processor_seconds() - used_before > timeout_;
}

// Signals workers that have made no visible progress for a tick, so that threads that spin on a
// volatile let others run, and ends launches that take too long.
void Pool::watch() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::vector<uint64_t> last(workers_.size());
  double idle_since = now_seconds();
  uint64_t number = 0;     // of the launch that was watched last
  double used_before = 0;  // of processors, when it was first seen
  for (;;) {
    usleep(static_cast<useconds_t>(tick_ * 1e6));
    std::unique_lock<std::mutex> lock(watch_mutex_);
    if (!watched_) {
      if (now_seconds() - idle_since < kIdleSeconds) continue;
      watchdog_asleep_ = true;
      watch_wake_.wait(lock, [this] { return watched_ != nullptr; });
      watchdog_asleep_ = false;
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

int Pool::run(Launch& launch, void* stream) {
  std::lock_guard<std::mutex> one_at_a_time(launch_mutex_);
  prepare_os_thread();
  if (!helpers_started_) start_helpers();
  Worker& me = *workers_[0];
  me.os_thread = pthread_self();
  for (auto& worker : workers_)
    worker->fibers.make_room_for_arguments(launch.body.closure_bytes);
  launch.number = ++launches_;
  launch.started = now_seconds();
  if (!code.has(reinterpret_cast<uintptr_t>(launch.info->entry))) {
    code = code_range(launch.info->entry);
  }
  {
    std::lock_guard<std::mutex> lock(watch_mutex_);
    watched_ = &launch;
  }
  if (watchdog_asleep_.load()) watch_wake_.notify_one();

  observe::launch_begin(launch, stream);
  launch.working = 1;
  int helpers = static_cast<int>(std::min<uint64_t>(launch.blocks - 1, workers_.size() - 1));
  if (helpers > 0) {
    {
      std::lock_guard<std::mutex> lock(wake_mutex_);
      current_ = &launch;
      wanted_ = helpers;
    }
    wake_.notify_all();
  }
  me.work(launch);
  if (helpers > 0) {
    std::unique_lock<std::mutex> lock(wake_mutex_);
    current_ = nullptr;
    wanted_ = 0;
    done_.wait(lock, [&] { return launch.working.load() == 1; });
  }
  {
    std::lock_guard<std::mutex> lock(watch_mutex_);
    watched_ = nullptr;
  }
#if CUDACPU_DIAGNOSTICS
  if (!launch.failed.load() && launch.repaired.kind != Failure::kNone) {
    launch.failure = launch.repaired;
    launch.failed = 1;
  }
#endif
  int error = cudaSuccess;
  if (launch.failed.load()) {
    error = report_failure(launch);
    set_sticky_error(error);
  }
  observe::launch_end(launch, error);
  return error;
}

enum { kAbandon = 1, kReplay = 2 };  // why Worker::work() was jumped back to

size_t function_shared_bytes = 0;
size_t stack_limit_bytes = 1024;  // CUDA's default

}  // namespace

int run_launch(KernelInfo& info, const Body& body, const LaunchConfiguration& c) {
  if (int error = sticky_error()) return error;
  if (int error = check_configuration(info, c)) {
    set_last_error(error);
    return error;
  }
  Launch launch;
  launch.info = &info;
  launch.body = body;
  launch.grid = c.grid;
  launch.block = c.block;
  launch.dynamic_bytes = c.shared_bytes;
  launch.cooperative = c.cooperative;
  launch.blocks = uint64_t{c.grid.x} * c.grid.y * c.grid.z;
  launch.threads = c.block.x * c.block.y * c.block.z;
  launch.grid_live = launch.blocks;
  launch.most_resident =
      static_cast<size_t>(kMultiprocessors) *
      std::max(1, blocks_per_multiprocessor(info, launch.threads, c.shared_bytes));
  const int error = pool().run(launch, c.stream);
  return error ? error : launch.children.run(c.stream);
}

// ---- workers
// --------------------------------------------------------------------------------------------------------

void Worker::work(Launch& new_launch) {
  launch = &new_launch;
  blockDim = launch->block;
  gridDim = launch->grid;
  set_busy(1);
  context.worker = this;
  context.thread = nullptr;
  context.dynamic_shared_bytes = static_cast<unsigned>(launch->dynamic_bytes);
  run_next = run_end = 0;
  run_length = 1;
  run_started = now_seconds();
  idle_yields = 0;
  idle_blocks = 0;
  replaying = false;
  int code = sigsetjmp(recover, 1);
  if (code != 0) fibers.reset();
  if (code == kReplay) resident.front()->begin(*launch, resident.front()->number);
  if (code == kAbandon) {
    for (Block* block : resident)
      spare.emplace_back(block);
    resident.clear();
  } else if (code == kReplay || start_block(*this)) {
    fiber = fibers.take();
    switch_stack(&main_context, make_stack(fiber->stack_top, fiber->stack_bytes));
  }
  set_busy(0);
  context.worker = nullptr;
  context.thread = nullptr;
  launch = nullptr;
}

void Worker::abandon() {
  siglongjmp(recover, kAbandon);
}

void Worker::replay() {
  replaying = true;
  siglongjmp(recover, kReplay);
}

Failure* claim_failure(Launch& launch, Failure::Kind kind, int error) {
  int nobody = 0;
  if (!launch.failed.compare_exchange_strong(nobody, 1)) return nullptr;
  Failure& failure = launch.failure;
  failure.kind = kind;
  failure.error = error;
  failure.block = blockIdx;
  failure.thread = threadIdx;
  failure.thread_known = threadIdx.x != kBetweenThreads;
  return &failure;
}

void end_launch(Worker& worker) {
  worker.abandon();
}

CodeRange launch_code() {
  return pool().code;
}

CodeRange code_range(const void* code) {
  struct Search {
    uintptr_t address;
    CodeRange found;
  } search{reinterpret_cast<uintptr_t>(code), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* search = static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          CodeRange range{info->dlpi_addr + segment.p_vaddr,
                          info->dlpi_addr + segment.p_vaddr + segment.p_memsz};
          if (segment.p_type == PT_LOAD && range.has(search->address)) {
            search->found = range;
            return 1;
          }
        }
        return 0;
      },
      &search);
  return search.found;
}

double now_seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// ---- the interface
// --------------------------------------------------------------------------------------------------

void push_launch(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  pending.push_back({grid, block, shared_bytes, stream, false});
}

void launch_body(KernelInfo& info, const Body& body) {
  if (query_open) {
    query_answer = &info;
    return;
  }
  if (pending.empty() && in_kernel()) {
    kernel_trap(cudaErrorLaunchFailure, "calls another kernel like a function");
  }
  if (pending.empty()) {
    fprintf(stderr, "CPU device: kernel %s (%s:%d) was called without <<<grid, block>>>\n",
            info.name, info.file, info.line);
    set_last_error(cudaErrorInvalidConfiguration);
    return;
  }
  LaunchConfiguration configuration = pending.back();
  pending.pop_back();
  info.entry = reinterpret_cast<const void*>(body.run);
  if (stored_launch) {
    stored_launch->emplace(info, body, configuration);
    return;
  }
  if (in_kernel()) {
    NoPreemption guard;
    handle_result = check_configuration(info, configuration);
    if (handle_result) return set_last_error(handle_result);
    context.worker->launch->children.add({info, body, configuration});
    return;
  }
  if (is_capturing(static_cast<cudaStream_t>(configuration.stream))) {
    handle_result = check_configuration(info, configuration);
    if (handle_result) return set_last_error(handle_result);
    capture_launch({info, body, configuration});
    return;
  }
  handle_result = run_launch(info, body, configuration);
}

int launch_handle(const KernelHandle& kernel, const LaunchConfiguration& configuration,
                  void** arguments) {
  push_launch(configuration.grid, configuration.block, configuration.shared_bytes,
              configuration.stream);
  pending.back().cooperative = configuration.cooperative;
  kernel.call_with_arguments(kernel.kernel, arguments);
  return handle_result;
}

std::optional<StoredLaunch> store_launch(const KernelHandle& kernel,
                                         const LaunchConfiguration& configuration,
                                         void** arguments) {
  std::optional<StoredLaunch> stored;
  stored_launch = &stored;
  launch_handle(kernel, configuration, arguments);
  stored_launch = nullptr;
  return check_configuration(*kernel.info, configuration) ? std::nullopt : std::move(stored);
}

void open_query() {
  query_open = true;
  query_answer = nullptr;
}

KernelInfo* close_query() {
  query_open = false;
  if (!query_answer) {
    fprintf(stderr,
            "CPU device: a function that is not a kernel was passed where a kernel belongs\n");
    abort();
  }
  return query_answer;
}

size_t reserve_shared(KernelInfo* info, size_t bytes, size_t align) {
  // Before main() and in dlopen only, one thread at a time.
  size_t& end = info ? info->static_shared : function_shared_bytes;
  size_t offset = (end + align - 1) / align * align;
  end = offset + bytes;
  if (info) info->static_shared_align = std::max(info->static_shared_align, align);
  return offset;
}

size_t function_shared_size() {
  return function_shared_bytes;
}

double timeout_seconds() {
  return pool().timeout();
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

// Ends a program whose host code never returns, and reports where the host is: see cudacpu_watch.h.
//
// A thread of its own keeps the time and asks the watched thread for its stack by a signal. The
// handler only stores the stack: the watched thread goes on, so no lock that the watched thread may
// hold blocks the look-up of the lines.
#include "diagnostics/call_watch.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "cudacpu_watch.h"
#include "diagnostics/call_stack.h"
#include "diagnostics/observer.h"
#include "diagnostics/source_line.h"

namespace cudacpu {
namespace {

constexpr int kAsk = SIGPROF;  // used by profilers alone
constexpr int kMaxFrames = 64;
constexpr double kTickSeconds = 0.05;
constexpr double kLongest = 10;  // times the limit, however little the thread ran
constexpr int kExitStatus = 124;

class CallWatch {
 public:
  CallWatch() {
    const char* text = getenv("CUDACPU_CALL_TIMEOUT");
    limit_ = text ? strtod(text, nullptr) : 0;
  }
  void begin() {
    if (limit_ <= 0) return;
    if (!running_) start();
    watched_ = pthread_self();
    watched_task_ = static_cast<int>(syscall(SYS_gettid));
    waited_before_ = waited();
    began_ = now_seconds();
    late_ = launching_ = false;
    active_ = true;
  }
  void end() { active_ = false; }
  void launch_begin();
  void launch_end();
  void note_stack(bool at_launch);

 private:
  void start();
  void run();
  double waited() const;
  bool is_mine() const { return active_ && pthread_equal(pthread_self(), watched_); }
  bool is_late() const;
  void stop();
  void leave_out_launcher();

  double limit_ = 0;
  bool running_ = false;
  std::atomic<bool> active_{false};
  std::atomic<bool> late_{false}, launching_{false};
  bool noted_at_launch_ = false;
  pthread_t watched_{};
  int watched_task_ = 0;
  double began_ = 0, waited_before_ = 0;
  const void* frames_[kMaxFrames] = {};
  int frame_count_ = 0;
  std::atomic<bool> claimed_{false}, noted_{false};
};

CallWatch& call_watch() {
  static auto* const watch = new CallWatch;
  return *watch;
}

void CallWatch::launch_begin() {
  if (!is_mine()) return;
  if (late_) {
    note_stack(true);
    for (;;)
      pause();
  }
  launching_ = true;
}

// At a launch the innermost line is the kernel's own, because `<<<` calls a function of the
// kernel's name.
void CallWatch::leave_out_launcher() {
  std::vector<const void*> frames(frames_, frames_ + frame_count_);
  int depth = 0;
  for (const auto& lines : source_lines(frames)) {
    ++depth;
    if (lines.empty()) continue;
    if (lines.size() == 1) frame_count_ = 0;  // else the launcher is inlined into its caller
    break;
  }
  if (frame_count_ != 0) return;
  for (size_t i = depth; i < frames.size(); ++i)
    frames_[frame_count_++] = frames[i];
}

void CallWatch::launch_end() {
  if (is_mine()) launching_ = false;
}

void CallWatch::note_stack(bool at_launch) {
  if (launching_ || claimed_.exchange(true)) return;
  noted_at_launch_ = at_launch;
  frame_count_ = call_stack(frames_, kMaxFrames, [](uintptr_t) { return true; });
  noted_ = true;
}

void on_ask(int) {
  call_watch().note_stack(false);
}

void CallWatch::start() {
  running_ = true;
  struct sigaction action = {};
  action.sa_handler = on_ask;
  action.sa_flags = SA_RESTART;
  sigaction(kAsk, &action, nullptr);
  prepare_call_stack();
  std::thread([this] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    run();
  }).detach();
}

// How long the watched thread has been ready to run while others ran; 0 if Linux does not report
// the time.
double CallWatch::waited() const {
  const std::string path = "/proc/self/task/" + std::to_string(watched_task_) + "/schedstat";
  FILE* file = fopen(path.c_str(), "r");
  if (!file) return 0;
  unsigned long long ran = 0, waited = 0;
  const int read = fscanf(file, "%llu %llu", &ran, &waited);
  fclose(file);
  return read == 2 ? 1e-9 * static_cast<double>(waited) : 0;
}

bool CallWatch::is_late() const {
  const double took = now_seconds() - began_;
  if (took <= limit_) return false;
  return took > kLongest * limit_ || took - (waited() - waited_before_) > limit_;
}

void CallWatch::run() {
  for (;;) {
    usleep(static_cast<useconds_t>(kTickSeconds * 1e6));
    if (!active_ || !is_late()) continue;
    late_ = true;
    if (!launching_ || now_seconds() - began_ > kLongest * limit_) stop();
  }
}

void CallWatch::stop() {
  // A loop that launches kernels reaches its next launch, where the line is known best.
  constexpr int kTicksToLaunch = 4, kTicks = 20;
  for (int tick = 0; tick < kTicks && !noted_; ++tick) {
    if (tick == kTicksToLaunch) pthread_kill(watched_, kAsk);
    usleep(static_cast<useconds_t>(kTickSeconds * 1e6));
  }
  // The watched thread has entered a kernel in the meantime.
  if (!noted_ && launching_ && now_seconds() - began_ <= kLongest * limit_) return;
  if (noted_at_launch_) leave_out_launcher();
  const std::string line = source_line(frames_, noted_ ? frame_count_ : 0);
  const std::string place = line.empty() ? "" : ", " + line;
  char seconds[32];
  snprintf(seconds, sizeof seconds, "%g", limit_);
  const std::string text = "CUDA error in host code" + place + ": stopped after " + seconds +
                           " seconds: does this loop ever end? (cudaErrorLaunchTimeout)\n";
  observe::call_stopped(frames_, noted_ ? frame_count_ : 0, limit_);
  fflush(stdout);
  fputs(text.c_str(), stderr);
  fflush(stderr);
  _exit(kExitStatus);
}

}  // namespace
}  // namespace cudacpu

namespace cudacpu {

void watch_launch_begin() {
  call_watch().launch_begin();
}
void watch_launch_end() {
  call_watch().launch_end();
}

}  // namespace cudacpu

void cudacpu_watch_begin() {
  cudacpu::call_watch().begin();
}
void cudacpu_watch_end() {
  cudacpu::call_watch().end();
}

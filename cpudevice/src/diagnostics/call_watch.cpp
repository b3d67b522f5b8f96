// Ends a program whose host code never returns, and tells where it is: see cudacpu_watch.h.
//
// A thread of its own keeps the time. It asks the watched thread by a signal where it is, and the
// handler only notes the stack: the watched thread goes on, so that no lock which it may hold is
// waited for while the lines are looked up.
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "cudacpu_watch.h"
#include "diagnostics/observer.h"
#include "diagnostics/source_line.h"

namespace cudacpu {
namespace {

constexpr int kAsk = SIGPROF;  // used by profilers alone
constexpr int kMaxFrames = 64;
constexpr double kTickSeconds = 0.05;
constexpr double kLongest = 10;  // times the limit, however little of it the thread ran
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
    active_ = true;
  }
  void end() { active_ = false; }
  void note_stack();

 private:
  void start();
  void run();
  double waited() const;
  bool is_late() const;
  [[noreturn]] void stop();

  double limit_ = 0;
  bool running_ = false;
  std::atomic<bool> active_{false};
  pthread_t watched_{};
  int watched_task_ = 0;
  double began_ = 0, waited_before_ = 0;
  const void* frames_[kMaxFrames] = {};
  int frame_count_ = 0;
  std::atomic<bool> noted_{false};
};

CallWatch& call_watch() {
  static auto* const watch = new CallWatch;
  return *watch;
}

_Unwind_Reason_Code keep_frame(_Unwind_Context* at, void* count_and_frames) {
  auto& [count, frames] = *static_cast<std::pair<int, const void**>*>(count_and_frames);
  int exact = 0;
  uintptr_t pc = _Unwind_GetIPInfo(at, &exact);
  if (!exact) --pc;  // a return address: the call stands before it
  frames[count++] = reinterpret_cast<const void*>(pc);
  return count < kMaxFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void CallWatch::note_stack() {
  if (noted_) return;
  std::pair<int, const void**> found{0, frames_};
  _Unwind_Backtrace(keep_frame, &found);
  frame_count_ = found.first;
  noted_ = true;
}

void on_ask(int) {
  call_watch().note_stack();
}

void CallWatch::start() {
  running_ = true;
  struct sigaction action = {};
  action.sa_handler = on_ask;
  action.sa_flags = SA_RESTART;
  sigaction(kAsk, &action, nullptr);
  // The first unwinding loads and allocates; a handler must not.
  _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_NO_REASON; }, nullptr);
  std::thread([this] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    run();
  }).detach();
}

// How long the watched thread has been ready to run while others ran; 0 where Linux does not tell.
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
    if (active_ && is_late()) stop();
  }
}

void CallWatch::stop() {
  pthread_kill(watched_, kAsk);
  for (int tick = 0; tick < 20 && !noted_; ++tick)
    usleep(static_cast<useconds_t>(kTickSeconds * 1e6));
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

void cudacpu_watch_begin() {
  cudacpu::call_watch().begin();
}
void cudacpu_watch_end() {
  cudacpu::call_watch().end();
}

// Threads that the program starts and joins: in the program's own objects cudacc gives the starting
// and joining functions names with the prefix __cudacpu_.
#include <pthread.h>

#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "profile/profiler.h"

using cudacpu::profile::HostThread;
using cudacpu::profile::profiler;

// Has the virtual functions of std::thread::_State, which is private in newer libraries. Visible to
// other files, because derived classes are elsewhere.
struct State {
  virtual ~State() = default;
  virtual void _M_run() = 0;
};

namespace {

// The threads that run or have not been joined yet, by their handles.
std::mutex started_mutex;
std::map<pthread_t, HostThread*>& started() {
  static auto* const threads = new std::map<pthread_t, HostThread*>;
  return *threads;
}

void remember(pthread_t handle, HostThread* thread) {
  std::lock_guard<std::mutex> lock(started_mutex);
  started()[handle] = thread;
}

void note_join(pthread_t handle) {
  HostThread* thread = nullptr;
  {
    std::lock_guard<std::mutex> lock(started_mutex);
    const auto found = started().find(handle);
    if (found == started().end()) return;
    thread = found->second;
    started().erase(found);
  }
  profiler().host().joined(thread);
}

// Exists while the thread runs; the destructor records the thread's end, even by an exception.
class Running {
 public:
  explicit Running(HostThread* thread) { profiler().host().run_as(thread); }
  ~Running() { profiler().host().thread_ended(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

// Runs the body of a std::thread in a record that the parent thread made.
struct CountedState : State {
  CountedState(std::unique_ptr<State> inner, HostThread* thread)
      : inner(std::move(inner)), thread(thread) {}
  void _M_run() override {
    Running running(thread);
    inner->_M_run();
  }
  std::unique_ptr<State> inner;
  HostThread* thread;
};

struct Start {
  void* (*run)(void*);
  void* argument;
  HostThread* thread;
};

void* run_counted(void* untyped) {
  const std::unique_ptr<Start> start(static_cast<Start*>(untyped));
  Running running(start->thread);
  return start->run(start->argument);
}

}  // namespace

extern "C" {

void start_std_thread(std::thread*, std::unique_ptr<State>, void (*)()) __asm__(
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void counted_std_thread(std::thread* self, std::unique_ptr<State> state, void (*depend)()) __asm__(
    "__cudacpu__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_"
    "EEPFvvE");
void counted_std_thread(std::thread* self, std::unique_ptr<State> state, void (*depend)()) {
  HostThread* const thread = profiler().host().start_thread();
  start_std_thread(self, std::make_unique<CountedState>(std::move(state), thread), depend);
  remember(self->native_handle(), thread);
}

void __cudacpu__ZNSt6thread4joinEv(std::thread* self) {
  const pthread_t handle = self->native_handle();
  self->join();
  note_join(handle);
}

int __cudacpu_pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                             void* (*run)(void*), void* argument) {
  HostThread* const thread = profiler().host().start_thread();
  auto* const start = new Start{run, argument, thread};
  const int error = pthread_create(handle, attributes, run_counted, start);
  if (error) {
    delete start;
    profiler().host().thread_ended();
  } else {
    remember(*handle, thread);
  }
  return error;
}

int __cudacpu_pthread_join(pthread_t handle, void** result) {
  const int error = pthread_join(handle, result);
  if (!error) note_join(handle);
  return error;
}

}  // extern "C"

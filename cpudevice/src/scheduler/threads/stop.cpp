#include "scheduler/threads/stop.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "diagnostics/call_stack.h"
#include "driver_types.h"

namespace cudacpu {

void note_frames(CodePlace& place, const CodeRange& code) {
  const int known = place.frame_count;
  place.frame_count += call_stack(place.frames + known, CodePlace::kMaxFrames - known,
                                  [&](uintptr_t pc) { return code.has(pc); });
}

void stop_deadlocked(Worker& worker) {
  Failure* failure = claim_failure(*worker.launch, Failure::kDeadlock, cudaErrorLaunchTimeout);
  if (failure) {
    const Block& block = *worker.block;
    block.threads.alive().each([&](unsigned id) {
      const Thread& t = block.threads[id];
      unsigned mask = t.wait == Wait::kWarp ? t.mask : 0;
      if (!failure->waits.empty()) {
        WaitGroup& last = failure->waits.back();
        if (last.site == t.site && last.mask == mask && last.last + 1 == id) {
          last.last = id;
          return;
        }
      }
      failure->waits.push_back({id, id, t.what, mask, t.site});
    });
  }
  worker.abandon();
}

void stop_late(Worker& worker, const void* site) {
  if (Failure* failure = claim_failure(*worker.launch, Failure::kTimeout, cudaErrorLaunchTimeout)) {
    if (site) {
      failure->frames[failure->frame_count++] = site;
    } else {
      note_frames(*failure, worker.launch->code);
    }
  }
  worker.abandon();
}

void look_at_late(Worker& worker) {
  Looks& looks = worker.looks;
  CodePlace& place = looks.places[looks.count++];
  place = place_of_thread();
  note_frames(place, worker.launch->code);
  if (looks.count < Looks::kMost) return;
  if (Failure* failure = claim_failure(*worker.launch, Failure::kTimeout, cudaErrorLaunchTimeout))
    failure->looks = looks;
  worker.abandon();
}

void kernel_trap(int cuda_error, const char* sentence) {
  Worker* worker = context.worker;
  if (!worker) {
    fprintf(stderr, "CPU device: host code %s\n", sentence);
    abort();
  }
  set_busy(1);
  if (Failure* failure = claim_failure(*worker->launch, Failure::kTrap, cuda_error)) {
    snprintf(failure->text, sizeof failure->text, "%s", sentence);
    note_frames(*failure, worker->launch->code);
  }
  worker->abandon();
}

void throw_thread_exit() {
  throw ThreadExit();
}

}  // namespace cudacpu

// Called by the C library's assert(), in kernels and on the host.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line,
                              const char* function) noexcept {
  using namespace cudacpu;
  Worker* worker = context.worker;
  if (!worker) {
    using Original = void (*)(const char*, const char*, unsigned, const char*);
    auto original = reinterpret_cast<Original>(dlsym(RTLD_NEXT, "__assert_fail"));
    if (original) original(expression, file, line, function);
    abort();
  }
  set_busy(1);
  if (Failure* failure = claim_failure(*worker->launch, Failure::kAssert, cudaErrorAssert)) {
    // A kernel's body is a lambda: the kernel's name ends where the lambda's name begins.
    const char* lambda = strstr(function, "::<lambda");
    int length = static_cast<int>(lambda ? lambda - function : strlen(function));
    uint3 b = blockIdx, t = threadIdx;
    snprintf(failure->text, sizeof failure->text,
             "%s:%u: %s%.*s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.", file,
             line, lambda ? "void " : "", length, function, b.x, b.y, b.z, t.x, t.y, t.z,
             expression);
  }
  worker->abandon();
}

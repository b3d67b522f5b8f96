// The trace of the running thread. The compiler's instrumentation writes an event at every basic
// block and access, so the recorder is small and never waits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profile/trace/event.h"

namespace cudacpu::profile {

struct AddressRange {
  uintptr_t begin = 0;
  size_t bytes = 0;
  bool has(uintptr_t address) const { return address - begin < bytes; }
};

struct Recorder {
  Event* next = nullptr;   // null: no kernel's thread is running, nothing is recorded
  Event* limit = nullptr;  // after the limit one more event has room
  // Whether a launch is running. The library's work between the threads of a kernel, and its
  // counting, is not the host's work. A part of the library is instrumented: inline functions, and
  // templates of which the linker took the program's instance.
  bool launching = false;
  Event origin = 0;           // of the running thread: see event_origin()
  uintptr_t frame = 0;        // of the running thread: its outermost stack frame
  uintptr_t arguments = 0;    // of the running thread: its copy; 0 until the first search
  uintptr_t code = 0;         // code_base()
  size_t argument_bytes = 0;  // of the kernel
  AddressRange arena, shared, function_shared, variables;
  AddressRange registered;  // holds all registered host memory
};

// A recorder per OS thread: a kernel runs on the thread that launched the kernel.
extern __thread Recorder recorder __attribute__((tls_model("initial-exec")));

// For the host's threads.
extern AddressRange managed_range;   // holds all managed memory
extern AddressRange host_arena;      // the arena
extern AddressRange variable_range;  // holds all __device__ and __constant__ variables

}  // namespace cudacpu::profile

// The trace of the running thread. The compiler's instrumentation writes to it at every basic block
// and access, so it is small and never waits.
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
  Event* limit = nullptr;  // behind it there is room for one more event
  // Whether a launch is running. The library's work between the threads of a kernel, and its
  // counting, is not the host's work. Some of it is instrumented, because it is inline in the
  // program, or is a template of which the linker took the program's instance.
  bool launching = false;
  Event origin = 0;           // of the running thread: see event_origin()
  uintptr_t frame = 0;        // its outermost stack frame
  uintptr_t arguments = 0;    // the running thread's copy of them; 0 until it is looked for
  uintptr_t code = 0;         // code_base()
  size_t argument_bytes = 0;  // of the kernel
  AddressRange arena, shared, function_shared, variables;
  AddressRange registered;  // holds all host memory that the program registered
};

// One per OS thread: kernels run on whichever one launched them.
extern __thread Recorder recorder __attribute__((tls_model("initial-exec")));

// For the host's threads.
extern AddressRange managed_range;   // holds all managed memory
extern AddressRange host_arena;      // the arena
extern AddressRange variable_range;  // holds all __device__ and __constant__ variables

}  // namespace cudacpu::profile

// Where the running thread's trace goes. The compiler's instrumentation writes into it at every
// basic block and access, so it is small and does nothing that can wait.
#pragma once

#include <cstddef>
#include <cstdint>

#include "event.h"

namespace cudacpu::profile {

struct AddressRange {
  uintptr_t begin = 0;
  size_t bytes = 0;
  bool has(uintptr_t address) const { return address - begin < bytes; }
};

struct Recorder {
  Event* next = nullptr;   // null: no kernel's thread is running, nothing is recorded
  Event* limit = nullptr;  // behind it there is room for one more event
  // A launch is under way. What the library does between the threads of a kernel, and to count what
  // they did, is not the host's work; some of it is instrumented, being inline in the program or a
  // template of which the linker took the program's instance.
  bool launching = false;
  uintptr_t frame = 0;  // the running thread's outermost stack frame
  uintptr_t code = 0;   // code_base()
  AddressRange arena, shared, function_shared, variables;
  AddressRange registered;  // holds all host memory that the program registered
};

// One per OS thread: kernels run on whichever one launched them.
extern __thread Recorder recorder __attribute__((tls_model("initial-exec")));

// Where a __device__ or __constant__ variable that holds `address` lies for the profile: aligned as
// on a GPU, whatever the host's linker does. False if there is none.
bool locate_variable(uintptr_t address, Space* space, uint64_t* place);

// Makes room: replays what can be, and lets other threads run until something can.
void make_room();

// An event of the running thread: `frame` is of the hook that notes it, `caller` where that was
// called. These two are inlined into every hook, since much of the time that counting takes is
// spent here.
__attribute__((always_inline)) inline Event event_at(uint8_t kind, uintptr_t frame,
                                                     uintptr_t caller) {
  const Recorder& r = recorder;
  return make_event((r.frame - frame) / kDepthUnit, static_cast<uint32_t>(caller - r.code), kind);
}
// Adds one that has a second word.
__attribute__((always_inline)) inline void record(uint8_t kind, uint64_t word, uintptr_t frame,
                                                  uintptr_t caller) {
  Recorder& r = recorder;
  Event* const next = r.next;
  next[0] = event_at(kind, frame, caller);
  next[1] = word;
  r.next = next + 2;
  if (r.next > r.limit) make_room();
}

// A thread is about to read and change memory that others see: those that are behind on the virtual
// clock go first.
void before_atomic(const volatile void* place);

// The host touches managed memory, or may do so.
extern AddressRange managed_range;  // holds all of it
void touch_managed(const void* address, size_t bytes);

// The host moves bytes of its memory itself: memcpy and the like, or a loop over memory that came
// from CUDA. Only the thread itself counts them, and nobody waits.
extern AddressRange host_arena;  // the arena, as the host's threads know it
void moved_by_host(size_t bytes);

// The host runs the basic block at this address, or looks again at what several threads wait on.
void block_by_host(uintptr_t address);
void look_by_host();

}  // namespace cudacpu::profile

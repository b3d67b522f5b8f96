// Adds events to the running thread's trace; for the hooks that the program calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profile/profiler.h"
#include "profile/trace/event.h"
#include "profile/trace/recorder.h"

// The frame of a hook, and the address of the call of the hook. All calls in a function have the
// same depth, however the hook itself is compiled, because a frame pointer is kept.
#define FRAME reinterpret_cast<uintptr_t>(__builtin_frame_address(0))
#define CALLER reinterpret_cast<uintptr_t>(__builtin_return_address(0))

namespace cudacpu::profile {

// Local variables of a kernel and of its callees are below the frame of the loop over threads. The
// loop's own frame holds the kernel's arguments, which on a GPU are constants.
constexpr uintptr_t kStack = uintptr_t{1} << 20;

// Records an event of the running thread with a second word: `frame` is the frame of the recording
// hook, `caller` the address of the hook's call. Inlined into every hook, because a profile spends
// much of its time in record().
__attribute__((always_inline)) inline void record(uint8_t kind, uint64_t word, uintptr_t frame,
                                                  uintptr_t caller) {
  Recorder& r = recorder;
  Event* const next = r.next;
  next[0] = event_at(r.origin, kind, frame, caller);
  next[1] = word;
  r.next = next + 2;
  if (r.next > r.limit) make_room();
}

// A library function uses memory, for a caller in the program: in a kernel the running thread
// accesses the memory, by bytes unless `aligned`, as nvcc's memcpy does not know the alignment; on
// the host the memory must be host memory.
void use_memory(const volatile void* pointer, size_t bytes, Operation operation, uintptr_t frame,
                uintptr_t caller, bool aligned = false);
// One side of a bulk copy, as a single instruction: an access of the running thread for each sector
// of global memory, or for all banks of shared memory.
void use_in_bulk(const volatile void* pointer, size_t bytes, Operation operation, uintptr_t frame,
                 uintptr_t caller);

}  // namespace cudacpu::profile

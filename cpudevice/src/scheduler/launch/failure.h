// A failure of a launch, as the report needs it.
#pragma once

#include <cstddef>
#include <vector>

#include "cudacpu/runtime.h"

namespace cudacpu {

// Threads that wait in the same place, for the report of a deadlock.
struct WaitGroup {
  unsigned first, last;
  const char* what;
  unsigned mask;  // 0 where no mask is needed
  const void* site;
};

// Where a thread is.
struct CodePlace {
  uint3 block{}, thread{};
  bool thread_known = true;
  // Innermost first: addresses in the student's program or in the library.
  static constexpr int kMaxFrames = 12;
  const void* frames[kMaxFrames] = {};
  int frame_count = 0;
};

// Where a thread was at the last ticks of the watchdog. A single look may hit an instruction that
// stands for no line, or that the compiler has moved.
struct Looks {
  static constexpr int kMost = 5;
  CodePlace places[kMost];
  int count = 0;
};

// Why a block lacks the shared memory of its kernel.
constexpr const char* kNoSharedMemory =
    "an extern __shared__ array has as many bytes as the launch says, "
    "kernel<<<blocks, threads, bytes>>>";

// The first failure of a launch, filled in by the thread that sets Launch::failed.
struct Failure : CodePlace {
  enum Kind { kNone, kFault, kTrap, kAssert, kDeadlock, kTimeout } kind = kNone;
  int error = 0;
  int signal = 0;  // kFault, as all members up to `stack_overflow`
  const void* address = nullptr;
  bool unknown_address = false;  // the processor does not tell an address with too many bits
  unsigned alignment = 0;        // wanted by the access, in bytes; 0: none
  char access = 0;               // 'r', 'w' or 0: not known
  bool stack_overflow = false;
  const char* shared = nullptr;  // the block's shared memory
  size_t shared_bytes = 0;
  char text[512] = "";           // kTrap and kAssert
  std::vector<WaitGroup> waits;  // kDeadlock
  Looks looks;                   // kTimeout of a thread that was running
};

}  // namespace cudacpu

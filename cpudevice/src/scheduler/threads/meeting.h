// Where the lanes of a warp meet: shuffles, votes and __syncwarp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cudacpu/runtime.h"

namespace cudacpu {

// A meeting point of the lanes in `mask`. Two views in turn: a lane may be one meeting ahead of
// another that has not yet read the last one's view, but never two.
struct Meeting {
  unsigned mask = 0;
  unsigned arrived = 0;
  unsigned phase = 0;
  WarpView views[2];
#if CUDACPU_DIAGNOSTICS
  // It is in memory that the diagnostic modes know not to be the program's.
  static void* operator new(size_t bytes);
  static void operator delete(void* meeting);
#endif
};

struct Warp {
  // There is at most one more than there are lanes, because each lane pins the meeting it was in
  // last.
  std::vector<std::unique_ptr<Meeting>> meetings;
};

#if CUDACPU_DIAGNOSTICS
// The addresses of all meetings: instrumented code reads them, but they are not the program's
// memory.
struct MeetingRange {
  uintptr_t begin;
  size_t bytes;
  bool has(uintptr_t address) const { return address - begin < bytes; }
};
extern MeetingRange meeting_range;
#endif

}  // namespace cudacpu

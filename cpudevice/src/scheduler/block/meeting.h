// Where the lanes of a warp meet: shuffles, votes and __syncwarp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cudacpu/runtime.h"
#include "scheduler/block/block_threads.h"

namespace cudacpu {

// A meeting point of the lanes in `mask`. Two views in turn: a lane may be a meeting ahead of
// another lane that has not yet read the last meeting's view, but never two meetings.
struct Meeting {
  unsigned mask = 0;
  unsigned arrived = 0;
  unsigned phase = 0;
  WarpView views[2];
  // All lanes that can come have arrived: returns the lanes, and makes room for the next meeting.
  unsigned complete() {
    const unsigned lanes = views[phase].present = arrived;
    arrived = 0;
    phase ^= 1;
    return lanes;
  }
#if CUDACPU_DIAGNOSTICS
  // In memory that the diagnostic modes know not to be the program's.
  static void* operator new(size_t bytes);
  static void operator delete(void* meeting);
#endif
};

// The meetings of a block's warps.
class WarpMeetings {
 public:
  WarpMeetings() : warps_(kMaxWarps) {}
  void prepare();  // for the blocks of a launch
  // Returns the meeting of the lanes in `mask`.
  Meeting& find(const BlockThreads& threads, unsigned warp, unsigned mask);
  // Returns a meeting that waits only for lanes that are not `present`; null if there is none.
  Meeting* find_complete(unsigned warp, unsigned present);

 private:
  // A warp has at most one more meeting than lanes, because each lane pins its last meeting.
  std::vector<std::vector<std::unique_ptr<Meeting>>> warps_;
};

#if CUDACPU_DIAGNOSTICS
// The addresses of all meetings: instrumented code reads meetings, which are not the program's
// memory.
struct MeetingRange {
  uintptr_t begin;
  size_t bytes;
  bool has(uintptr_t address) const { return address - begin < bytes; }
};
extern MeetingRange meeting_range;
#endif

}  // namespace cudacpu

// The traces of a block's warps, and the buffers for the traces.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/replay/warp_trace.h"
#include "scheduler/block/block.h"

namespace cudacpu::profile {

// The size of a lane's trace between two meetings of its warp: 256 KiB, and a little more, so that
// the traces of a warp do not compete for the same places in the caches.
constexpr size_t kLaneWords = (1 << 15) + 24;
// The most words that a call of the instrumentation adds without a check for room.
constexpr size_t kSlack = 8;

// The trace of a block that runs or waits.
struct BlockTrace {
  Block* block = nullptr;
  WarpTrace warps[kMaxWarps];
  unsigned warp_count = 0;
  unsigned slot = 0;
  uint64_t begin = 0;
  uint64_t barriers = 0;
  bool waits = false;  // has read a variable that another block of the launch had set
  uint3 index{};
  uint64_t begun = 0;  // how many blocks began before
  uintptr_t shared = 0, function_shared = 0;

  uint64_t clock() const;
};

// The buffers of running warps. A waiting warp needs none, and the next running warp gets the last
// buffer, which is in the host processor's caches.
class TraceBuffers {
 public:
  void take(WarpTrace& warp);
  void give(WarpTrace& warp);
  // After a replay: moves the rest of each lane's trace to the beginning, if the room gained is
  // worth the move, and takes the buffer back from a warp that does not run.
  void make_room(WarpTrace& warp);

 private:
  std::vector<Event*> spare_;
};

}  // namespace cudacpu::profile

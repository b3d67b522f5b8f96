#include "profile/replay/block_trace.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cudacpu::profile {

uint64_t BlockTrace::clock() const {
  uint64_t latest = begin;
  for (unsigned w = 0; w < warp_count; ++w)
    latest = std::max(latest, warps[w].clock);
  return latest;
}

void TraceBuffers::take(WarpTrace& warp) {
  constexpr size_t kBytes = kLanes * kLaneWords * sizeof(Event);
  if (spare_.empty()) {
    // Most pages of the buffer are never touched. The mapping is shared, because a limit of private
    // memory counts addresses, not pages, and each resident warp may have a buffer.
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) abort();
    spare_.push_back(static_cast<Event*>(memory));
  }
  warp.buffer = spare_.back();
  spare_.pop_back();
  for (int i = 0; i < kLanes; ++i) {
    Lane& lane = warp.lanes[i];
    lane.begin = lane.next = warp.buffer + i * kLaneWords;
    lane.read = lane.begin;
  }
}

void TraceBuffers::give(WarpTrace& warp) {
  if (!warp.buffer) return;
  spare_.push_back(warp.buffer);
  warp.buffer = nullptr;
}

void TraceBuffers::make_room(WarpTrace& warp) {
  bool empty = true;
  for (const Lane& lane : warp.lanes)
    empty &= lane.next == lane.read;
  if (empty && !warp.running) return give(warp);
  for (Lane& lane : warp.lanes) {
    const size_t left = lane.next - lane.read;
    if (left != 0) {
      if (static_cast<size_t>(lane.read - lane.begin) < kLaneWords / 2) continue;
      memmove(lane.begin, lane.read, left * sizeof(Event));
    }
    lane.read = lane.begin;
    lane.next = lane.begin + left;
  }
}

}  // namespace cudacpu::profile

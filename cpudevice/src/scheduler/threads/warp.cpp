// The calls at which the lanes of a warp wait for each other: shuffles, votes, __syncwarp,
// __activemask and the steps of warp-synchronous code.
#include <algorithm>

#include "cudacpu/runtime.h"
#include "driver_types.h"
#include "scheduler/threads/stop.h"
#include "scheduler/threads/switch.h"
#include "scheduler/threads/yield.h"

namespace cudacpu {
namespace {

// A warp may go round a loop with meetings until another warp has written something. After so many
// meetings the other warps have a turn; later if they have to be started first, with a stack each.
constexpr unsigned kMeetings = 256, kMeetingsAlone = 4096;

void count_meeting(Worker& worker) {
  const unsigned most = worker.block->threads.all_started() ? kMeetings : kMeetingsAlone;
  if (!CUDACPU_DIAGNOSTICS && worker.watch.has_met_often(most)) yield_now(worker);
}

// The lanes behind `me`, which has arrived, may follow one after the other.
void let_follow(Block& block, const Thread& me, Meeting& meeting) {
  const unsigned lane = me.id % kWarpSize;
  if (lane == kWarpSize - 1) return;
  const unsigned followers = __builtin_ctz(~(meeting.mask >> (lane + 1)));
  Thread* const last = &block.threads[me.id + followers];
  context.last_to_meet = std::min(block.threads.last_ready(*context.thread), last);
  context.meeting = &meeting;
  context.meeting_mask = meeting.mask;
  context.meeting_view = &meeting.views[meeting.phase];
}

// Lets a lane that may follow arrive, and switches to the next lane. Like the threads at a barrier
// (turns.h), the lane is booked later, by settle().
inline Departure follow(Thread& me, uint64_t value, const char* what, const void* site,
                        const WarpView** seen) {
  WarpView& view = *context.meeting_view;
  *seen = &view;
  view.value[me.id % kWarpSize] = value;
  view.nonzero |= uint32_t{value != 0} << me.id % kWarpSize;
  me.meeting = context.meeting;
  me.wait = Wait::kWarp;
  me.mask = context.meeting_mask;
  me.what = what;
  me.site = site;
  Thread& next = *(&me + 1);
  const char* soon = static_cast<const char*>((&next + kThreadsAhead)->context);
  __builtin_prefetch(soon);
  __builtin_prefetch(soon + 64);
  context.thread = &next;
  threadIdx = next.index;
  return {&me.context, next.context};
}

Departure meet(Worker& worker, unsigned mask, uint64_t value, const char* what, const void* site,
               const WarpView** seen) {
  Thread& me = current_thread(worker);
  Block& block = *worker.block;
  unsigned warp = me.id / kWarpSize, lane = me.id % kWarpSize;
  Meeting& meeting = me.meeting && me.meeting->mask == mask
                         ? *me.meeting
                         : block.meetings.find(block.threads, warp, mask);
  WarpView& view = meeting.views[meeting.phase];
  *seen = &view;
  view.value[lane] = value;
  view.nonzero = (meeting.arrived ? view.nonzero : 0) | uint32_t{value != 0} << lane;
  meeting.arrived |= 1u << lane;
  me.meeting = &meeting;
  me.wait = Wait::kWarp;
  me.mask = mask;
  me.what = what;
  me.site = site;
  observe::warp_arrive(me.id, mask, what, site);
  if ((mask & block.threads.present_lanes(warp) & ~meeting.arrived) != 0) {
    const Departure departure = leave(worker, me);
    if (!CUDACPU_DIAGNOSTICS && context.thread == &me + 1) let_follow(block, me, meeting);
    return departure;
  }
  block.complete(meeting, warp);
  // The lanes continue in their order, as after every meeting.
  Thread& first = *block.threads.take_next(warp * kWarpSize - 1);
  if (&first == &me) return stay(me);
  return resume(worker, first, &me.context);
}

// Returns the lanes that wait at the same place once nothing else in the block can run.
unsigned wait_for_warp(const char* what, const void* site) {
  Worker* worker = context.worker;
  if (!worker) return 1;
  set_busy(1);
  Thread& me = current_thread(*worker);
  me.wait = Wait::kActiveMask;
  me.what = what;
  me.site = site;
  go(leave(*worker, me));
  unsigned mask = me.mask;
  set_busy(0);
  return mask;
}

}  // namespace

Departure arrive_in_warp(unsigned mask, uint64_t value, const char* what, const WarpView** view) {
  static const WarpView alone{};  // on the host there are no lanes to meet
  *view = &alone;
  Worker* worker = context.worker;
  if (!worker) return {nullptr, nullptr};
  set_busy(1);
  Thread* const thread = context.thread;
  if (!CUDACPU_DIAGNOSTICS && thread < context.last_to_meet && mask == context.meeting_mask) {
    return follow(*thread, value, what, __builtin_return_address(0), view);
  }
  if (!(mask >> lane_id() & 1)) {
    kernel_trap(cudaErrorLaunchFailure,
                "calls a warp function whose mask does not name its own lane");
  }
  if (mask >> lane_id() == 1) count_meeting(*worker);  // the last lane
  return meet(*worker, mask, value, what, __builtin_return_address(0), view);
}

unsigned active_mask() {
  return wait_for_warp("__activemask()", __builtin_return_address(0));
}

void warp_step() {
  wait_for_warp("a store to a volatile array", __builtin_return_address(0));
}

}  // namespace cudacpu

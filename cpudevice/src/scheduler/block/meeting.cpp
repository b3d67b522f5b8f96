#include "scheduler/block/meeting.h"

#if CUDACPU_DIAGNOSTICS
#include <sys/mman.h>

#include <cstdlib>
#endif

namespace cudacpu {

void WarpMeetings::prepare() {
  for (auto& meetings : warps_) {
    for (auto& meeting : meetings)
      meeting->arrived = 0;
  }
}

Meeting& WarpMeetings::find(const BlockThreads& threads, unsigned warp, unsigned mask) {
  auto& meetings = warps_[warp];
  for (auto& meeting : meetings) {
    if (meeting->mask == mask) return *meeting;
  }
  // A meeting in which no lane waits, and whose last view no lane may still read.
  for (auto& meeting : meetings) {
    bool pinned = meeting->arrived != 0;
    for (unsigned rest = threads.alive().warp(warp); rest && !pinned; rest &= rest - 1)
      pinned = threads[warp * kWarpSize + __builtin_ctz(rest)].meeting == meeting.get();
    if (pinned) continue;
    meeting->mask = mask;
    return *meeting;
  }
  meetings.push_back(std::make_unique<Meeting>());
  meetings.back()->mask = mask;
  return *meetings.back();
}

Meeting* WarpMeetings::find_complete(unsigned warp, unsigned present) {
  for (auto& meeting : warps_[warp]) {
    if (meeting->arrived && !(meeting->mask & present & ~meeting->arrived)) return meeting.get();
  }
  return nullptr;
}

#if CUDACPU_DIAGNOSTICS

// A known place for the meetings, whose contents translated code reads.
namespace {

constexpr size_t kPoolBytes = size_t{1} << 30;  // of address space: some 2,000,000 meetings

struct Pool {
  uintptr_t begin = 0, next = 0;
  std::vector<void*> free;
};

Pool& pool() {
  static Pool* const the_pool = new Pool;
  return *the_pool;
}

}  // namespace

MeetingRange meeting_range;

// Called by one worker only.
void* Meeting::operator new(size_t bytes) {
  Pool& p = pool();
  if (!p.begin) {
    void* memory = mmap(nullptr, kPoolBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) abort();
    p.begin = p.next = reinterpret_cast<uintptr_t>(memory);
    meeting_range = {p.begin, kPoolBytes};
  }
  if (!p.free.empty()) {
    void* meeting = p.free.back();
    p.free.pop_back();
    return meeting;
  }
  if (p.next + bytes > p.begin + kPoolBytes) abort();
  void* meeting = reinterpret_cast<void*>(p.next);
  p.next += (bytes + 15) / 16 * 16;
  return meeting;
}

void Meeting::operator delete(void* meeting) {
  pool().free.push_back(meeting);
}

#endif

}  // namespace cudacpu

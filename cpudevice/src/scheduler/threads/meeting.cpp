// In the diagnostic modes, a known place for the meetings, whose contents translated code reads.
#include "scheduler/threads/meeting.h"

#if CUDACPU_DIAGNOSTICS

#include <sys/mman.h>

#include <cstdlib>
#include <vector>

namespace cudacpu {
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

}  // namespace cudacpu

#endif

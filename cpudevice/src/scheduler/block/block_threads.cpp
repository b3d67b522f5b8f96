#include "scheduler/block/block_threads.h"

namespace cudacpu {

void BlockThreads::prepare(unsigned count) {
  count_ = count;
  alive_.clear();
  ready_.clear();
  parked_.clear();
}

Thread& BlockThreads::first_wait(Fiber* fiber) {
  // The coordinates are read separately, because the processor cannot forward two recent stores to
  // one load of both.
  const volatile uint3& now = threadIdx;
  unsigned x = now.x, y = now.y, z = now.z;
  const unsigned id = x + blockDim.x * (y + blockDim.y * z);
  Thread& thread = states_[id];
  thread.index = {x, y, z};
  thread.id = id;
  thread.fiber = fiber;
  thread.wait = Wait::kNothing;
  thread.meeting = nullptr;
  alive_.add(id);
  next_start_ = id + 1;
  if (++x == blockDim.x) {
    x = 0;
    if (++y == blockDim.y) {
      y = 0;
      ++z;
    }
  }
  next_index_ = {x, y, z};
  return thread;
}

}  // namespace cudacpu

#include "scheduler/threads/idle_watch.h"

#include <sched.h>

#include "base/clock.h"

namespace cudacpu {
namespace {

// The yields of each thread that can run, without visible progress, after which a block may wait
// for a block that has not started.
constexpr unsigned kIdleYields = 20;
// The same for a block that has waited before, and has done nothing visible since.
constexpr unsigned kYieldsAgain = 1;
// Lanes that wait until nothing else can run go on without lanes that have yielded so many times as
// often: the yielding lanes wait for the other lanes in a loop. A lane that was only interrupted
// comes sooner; without the interrupted lane the lanes of the warp would be out of step.
constexpr unsigned kIdleTimes = 5;
// For so long, in seconds, another worker may do nothing visible and still be at work: the system
// may have taken the processor from the worker.
constexpr double kPatience = 50e-3;

unsigned enough_yields(const Block& block) {
  return block.idle ? kYieldsAgain : kIdleYields;
}

}  // namespace

void IdleWatch::begin(const Launch& launch) {
  idle_yields_ = idle_times_ = 0;
  idle_blocks_ = unasked_ = 0;
  looked_ = 0;
  see_others(launch, 0);
}

void IdleWatch::see_own_progress(Block& block) {
  if (progress_ == last_progress_) return;
  last_progress_ = progress_;
  idle_yields_ = idle_times_ = 0;
  idle_blocks_ = 0;
  block.idle = false;
}

bool IdleWatch::waits_for_others(const Block& block, unsigned rounds) {
  const unsigned ready = block.threads.ready_count();
  idle_yields_ += rounds ? rounds * ready : 1;
  if (idle_yields_ < enough_yields(block) * ready) return false;
  idle_yields_ = 0;
  return true;
}

bool IdleWatch::lanes_give_up(const Block& block) {
  return ++idle_times_ % (kIdleTimes * kIdleYields / enough_yields(block)) == 0;
}

bool IdleWatch::is_spinning(uint64_t thread) {
  const bool again = thread == last_spinner_;
  last_spinner_ = thread;
  return again;
}

// Notes that the running block waits; returns true if all blocks do.
bool IdleWatch::begin_look(Launch& launch, size_t resident) {
  if (++idle_blocks_ < resident) return false;
  if (launch.crowded) sched_yield();
  waits_at_ = progress_;
  looked_ = launch.idle_looks.fetch_add(1, std::memory_order_relaxed) + 1;
  idle_blocks_ = 0;
  return true;
}

void IdleWatch::look_at(const IdleWatch& other, Others* others) const {
  const uint64_t progress = other.progress_;
  others->all_wait = others->all_wait && other.waits_at_ == progress && other.looked_ > seen_looks_;
  others->progress += progress + 1;
}

// Whether another worker may still write what the own worker waits for: not if all other workers
// have found only waiting blocks since the last progress. Blocks that start too early take stacks
// for all their threads, only to wait as well.
bool IdleWatch::go_on(const Launch& launch, const Others& others) {
  if (others.progress != seen_progress_) {
    see_others(launch, others.progress);
    return others.progress != 0;
  }
  return !others.all_wait && now_seconds() - seen_at_ < kPatience;
}

void IdleWatch::see_others(const Launch& launch, uint64_t progress) {
  seen_progress_ = progress;
  seen_looks_ = launch.idle_looks.load(std::memory_order_relaxed);
  seen_at_ = now_seconds();
}

}  // namespace cudacpu

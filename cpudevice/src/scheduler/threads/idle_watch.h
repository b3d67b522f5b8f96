// A worker's view of the progress of all workers: finds out when threads that only yield wait for
// other lanes, another block or another worker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scheduler/block/block.h"
#include "scheduler/launch/launch.h"

namespace cudacpu {

class IdleWatch {
 public:
  void begin(const Launch& launch);

  // Progress: the number of block starts, barriers and ends of threads that had waited.
  void note_progress() { progress_ = progress_ + 1; }
  uint64_t progress() const { return progress_; }
  // Whether all blocks of the worker only waited at the progress of now; for the watchdog.
  bool only_waits() const { return looked_ > 0 && waits_at_ == progress_; }

  // A thread of the block yields.
  void see_own_progress(Block& block);
  // Whether all threads of the block that can run have yielded for so long that the block may wait
  // for another block. This yield counts as `rounds` yields of all threads, if not 0.
  bool waits_for_others(const Block& block, unsigned rounds);
  // Called when waits_for_others() is true: whether the lanes that wait until nothing else can run
  // are to go on without the others.
  bool lanes_give_up(const Block& block);
  void lanes_have_gone_on() { idle_times_ = 0; }

  // Whether the worker is to start another block, now that the running block waits: all `resident`
  // blocks of the worker wait, and no other worker of the launch goes on. `for_each_other` passes
  // the watches of the other workers to its argument.
  template <class ForEachOther>
  bool needs_another(Launch& launch, size_t resident, ForEachOther for_each_other);
  // The worker has started another block: gives the other workers time once more.
  void see_others(const Launch& launch) { see_others(launch, seen_progress_); }

  // A thread has used up a whole budget of atomics. Returns whether the thread has also used up the
  // budget before; a spinning thread has.
  bool is_spinning(uint64_t thread);
  // Counts a meeting of a warp; returns true, and begins again, at each `most`-th meeting.
  bool has_met_often(unsigned most) {
    if (++meetings_ < most) return false;
    meetings_ = 0;
    return true;
  }

 private:
  // The other workers of the launch: the sum of their progress, each counted from 1.
  struct Others {
    uint64_t progress = 0;
    bool all_wait = true;
  };
  bool begin_look(Launch& launch, size_t resident);
  void look_at(const IdleWatch& other, Others* others) const;
  bool go_on(const Launch& launch, const Others& others);
  void see_others(const Launch& launch, uint64_t progress);

  volatile uint64_t progress_ = 0;
  // Read by the other workers: the progress at which all blocks of the worker only waited, and the
  // number of that look among the idle looks of the launch.
  volatile uint64_t waits_at_ = 0, looked_ = 0;
  uint64_t last_progress_ = 0;  // of the worker, at the last yield
  // Since that progress: yields of the running block; the times when waits_for_others() was true,
  // counted again when lanes have gone on; blocks left in waiting, counted again when all were.
  unsigned idle_yields_ = 0, idle_times_ = 0;
  size_t idle_blocks_ = 0;
  size_t unasked_ = 0;  // blocks that may start before all blocks are looked at again
  // The progress of the other workers when this worker last saw a change, the number of the
  // launch's idle looks by then, and the time in seconds.
  uint64_t seen_progress_ = 0, seen_looks_ = 0;
  double seen_at_ = 0;
  uint64_t last_spinner_ = ~uint64_t{0};
  unsigned meetings_ = 0;  // since other threads had a turn
};

template <class ForEachOther>
bool IdleWatch::needs_another(Launch& launch, size_t resident, ForEachOther for_each_other) {
  const bool has_room = resident < launch.most_resident;
  if (unasked_ > 0 && has_room) {
    --unasked_;
    return true;
  }
  if (!begin_look(launch, resident) || !has_room) return false;
  Others others;
  for_each_other([&](const IdleWatch& other) { look_at(other, &others); });
  if (go_on(launch, others)) return false;
  // When all blocks wait, a block is started for each so many of them before all are looked at
  // again. Looks at all blocks before each start would take a time that grows with the square of
  // the number of blocks.
  constexpr size_t kWaitingForEach = 4;
  unasked_ = resident / kWaitingForEach;
  return true;
}

}  // namespace cudacpu

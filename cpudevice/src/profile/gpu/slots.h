// The places for blocks on the multiprocessors, each with the time from which it is free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudacpu::profile {

constexpr uint64_t kNever = ~uint64_t{0};

class Slots {
 public:
  void reset(size_t count);
  // Takes the slot that is free first; blocks that start together are distributed over the
  // multiprocessors, because the slots of one are not neighbours. `*clock`: when it is free.
  unsigned take(uint64_t* clock);
  // Its block has ended.
  void give(unsigned slot, uint64_t clock);
  // When the slot that is free first is free; kNever if all are taken.
  uint64_t earliest() const;
  // When the last block has ended.
  uint64_t latest() const;

 private:
  struct Slot {
    uint64_t clock = 0;
    bool taken = false;
  };
  size_t first_free() const;

  std::vector<Slot> slots_;
};

}  // namespace cudacpu::profile

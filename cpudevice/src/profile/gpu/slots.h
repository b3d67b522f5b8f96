// The slots for blocks on the multiprocessors, each with the time from which the slot is free.
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
  // multiprocessors, because the slots of a multiprocessor are not neighbours. `*clock`: when the
  // slot is free.
  unsigned take(uint64_t* clock);
  // The slot's block has ended.
  void give(unsigned slot, uint64_t clock);
  // When the first slot is free; kNever if all are taken.
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

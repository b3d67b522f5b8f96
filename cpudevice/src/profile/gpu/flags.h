// Volatile and atomic variables by which the blocks of a launch may wait for one another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudacpu::profile {

// Notes which block set a variable last. A block is a number that increases with each block that
// begins. Each atomic operation of a kernel comes here, so a look is one step: if two variables
// have the same place, the older one is forgotten, and what was set before the launch stays as it
// is.
class Flags {
 public:
  // A launch begins, whose first block will have this number.
  void begin(uint64_t first_block) {
    if (entries_.empty()) entries_.resize(kEntries);
    first_block_ = first_block;
  }
  void set(uint64_t variable, uint64_t block) { entries_[place_of(variable)] = {variable, block}; }
  // Whether another block of the launch set it last.
  bool is_set_by_another(uint64_t variable, uint64_t block) const {
    const Entry& entry = entries_[place_of(variable)];
    return entry.variable == variable && entry.block >= first_block_ && entry.block != block;
  }

 private:
  static constexpr size_t kEntries = size_t{1} << 16;
  struct Entry {
    uint64_t variable = ~uint64_t{0};  // none yet
    uint64_t block = 0;
  };

  static size_t place_of(uint64_t variable) { return variable * 0x9E3779B97F4A7C15u >> 48; }

  std::vector<Entry> entries_;
  uint64_t first_block_ = 0;
};

}  // namespace cudacpu::profile

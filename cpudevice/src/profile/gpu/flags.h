// Volatile and atomic variables through which the blocks of a launch may wait for each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudacpu::profile {

// Notes which block set a variable last. A block's number increases with each block that begins.
// Each atomic operation of a kernel looks up its variable, so a lookup is a single step: of two
// variables in the same place the older is forgotten, and entries of earlier launches stay.
class Flags {
 public:
  // A launch begins; its first block will have the number `first_block`.
  void begin(uint64_t first_block) {
    if (entries_.empty()) entries_.resize(kEntries);
    first_block_ = first_block;
  }
  void set(uint64_t variable, uint64_t block) { entries_[place_of(variable)] = {variable, block}; }
  // Whether another block of the launch set the variable last.
  bool is_set_by_another(uint64_t variable, uint64_t block) const {
    const Entry& entry = entries_[place_of(variable)];
    return entry.variable == variable && entry.block >= first_block_ && entry.block != block;
  }

 private:
  static constexpr size_t kEntries = size_t{1} << 16;
  struct Entry {
    uint64_t variable = ~uint64_t{0};  // none
    uint64_t block = 0;
  };

  static size_t place_of(uint64_t variable) { return variable * 0x9E3779B97F4A7C15u >> 48; }

  std::vector<Entry> entries_;
  uint64_t first_block_ = 0;
};

}  // namespace cudacpu::profile

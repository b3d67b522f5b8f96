// Which sectors of memory were touched since the last clear().
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profile/gpu/requests.h"

namespace cudacpu::profile {

class TouchedSectors {
 public:
  // Returns how many of them are new.
  unsigned add(LinePart part);
  // Whether any sector of these lines was touched.
  bool any(uint64_t address, size_t bytes) const;
  void clear();

 private:
  static constexpr unsigned kLinesPerChunk = 1 << 14;
  struct Chunk {
    std::vector<uint8_t> lines;  // a bit per sector
    bool used = false;
  };
  std::unordered_map<uint64_t, Chunk> chunks_;
  // The chunks of the last lines, by the end of their numbers.
  static constexpr unsigned kRecent = 64;
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Chunk* chunk = nullptr;
  };
  Recent recent_[kRecent];
};

}  // namespace cudacpu::profile

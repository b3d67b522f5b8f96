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
  // Returns how many sectors of `part` are new.
  unsigned add(LinePart part) {
    uint8_t& known = sectors_of(part.line);
    const unsigned fresh = part.sectors & ~known;
    known |= part.sectors;
    return sector_count(fresh);
  }
  // Prefetches the entry that add() uses.
  void prefetch(uint64_t line) { __builtin_prefetch(&sectors_of(line), 1); }
  // Whether any sector of [address, address + bytes) was touched.
  bool any(uint64_t address, size_t bytes) const;
  void clear();

 private:
  static constexpr unsigned kLinesPerChunk = 1 << 14;
  struct Chunk {
    std::vector<uint8_t> lines;  // a bit per sector
    bool used = false;
  };
  uint8_t& sectors_of(uint64_t line) {
    const Recent& recent = recent_[line / kLinesPerChunk % kRecent];
    uint8_t* const lines =
        recent.number == line / kLinesPerChunk ? recent.lines : find(line / kLinesPerChunk);
    return lines[line % kLinesPerChunk];
  }
  // Makes a chunk a recent chunk.
  uint8_t* find(uint64_t number);

  std::unordered_map<uint64_t, Chunk> chunks_;
  // The chunks of the last lines, by the low bits of their numbers.
  static constexpr unsigned kRecent = 64;
  struct Recent {
    uint64_t number = ~uint64_t{0};
    uint8_t* lines = nullptr;
  };
  Recent recent_[kRecent];
};

}  // namespace cudacpu::profile

// The memory requests of a warp's instruction: sectors, lines, bank conflicts. Pure arithmetic on
// the addresses of the lanes, by the rules that NVIDIA documents for its profilers' counters.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cudacpu::profile {

constexpr int kLanes = 32;
constexpr unsigned kSectorBytes = 32;
constexpr unsigned kLineBytes = 128;
constexpr unsigned kBanks = 32;
constexpr unsigned kBankBytes = 4;

// The lanes that take part in an instruction, and the first byte that each lane touches.
struct Request {
  uint32_t lanes;
  int lane_count;
  unsigned bytes;  // per lane: 1, 2, 4, 8 or 16
  uint64_t address[kLanes];
  // All 32 lanes take part, and neighbours are `stride` bytes apart: true for most requests, and
  // quick to count.
  bool regular;
  uint64_t stride;

  int first_lane() const { return __builtin_ctz(lanes); }
  // Sets `regular` and `stride`.
  void find_stride();
};

// Returns how many of a line's four sectors are in the set. A table, because not every processor
// can count bits.
inline unsigned sector_count(uint32_t sectors) {
  static constexpr uint8_t kCounts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  return kCounts[sectors];
}

// Some sectors of a 128-byte line.
struct LinePart {
  uint64_t line;     // address / kLineBytes
  uint32_t sectors;  // a bit per sector
};

constexpr unsigned kTagBanks = 4;

// The lines that a request touches, each once, in the order of the lanes.
struct LineList {
  static constexpr int kMost = 8 * kLanes;  // a filtered texture fetch takes up to 8 elements
  LinePart parts[kMost];
  int count = 0;

  int sectors() const {
    int sum = 0;
    for (int i = 0; i < count; ++i)
      sum += static_cast<int>(sector_count(parts[i].sectors));
    return sum;
  }

  // The steps in which a cache finds the lines: a step looks into each of kTagBanks banks, and a
  // line can be in a single bank only.
  int lookups() const {
    int of_bank[kTagBanks] = {};
    for (int i = 0; i < count; ++i)
      ++of_bank[parts[i].line % kTagBanks];
    return *std::max_element(of_bank, of_bank + kTagBanks);
  }
};
void list_lines(const Request& request, LineList* list);

// The least number of sectors that could hold as many bytes as the request moves.
inline int ideal_sectors(const Request& request) {
  return static_cast<int>((request.lane_count * request.bytes + kSectorBytes - 1) / kSectorBytes);
}

// Returns the passes through shared memory. A bank delivers a 4-byte word per pass; lanes that read
// the same word share the pass. Accesses of 8 bytes are served per half of a warp, of 16 bytes per
// quarter. `ideal` is the number of passes without conflicts.
struct Wavefronts {
  int actual, ideal;
};
Wavefronts count_wavefronts(const Request& request);

// Whether the addresses are so scattered that they must have been loaded from memory. Affine
// functions of the thread's indices have few different distances between neighbouring lanes.
bool is_irregular(const Request& request);

// Whether all lanes use the same address.
bool is_uniform(const Request& request);

// Returns the number of lanes beyond the first that change the same word.
int same_address_lanes(const Request& request);

}  // namespace cudacpu::profile

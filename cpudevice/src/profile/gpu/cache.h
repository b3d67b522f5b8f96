// A simple cache: 128-byte lines of four 32-byte sectors, 16 ways, least recently used first out,
// written back. Accurate enough to tell cached data from data that comes from memory.
//
// A profile spends much of its time in the lookups, so the lookups are inlined, and have no
// branches that a processor could not predict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "profile/gpu/requests.h"

namespace cudacpu::profile {

// The traffic that a sequence of accesses caused at the level below, in sectors.
struct Traffic {
  uint64_t requested = 0;  // sectors accessed
  uint64_t missed = 0;     // of the accessed sectors, those not in the cache
  uint64_t fetched = 0;    // read from below: pairs of sectors, as DRAM delivers
  uint64_t written = 0;    // written back, in whole pairs too

  void add(const Traffic& other) {
    requested += other.requested;
    missed += other.missed;
    fetched += other.fetched;
    written += other.written;
  }
};

class Cache {
 public:
  // `notes`: whether to keep a note for each line.
  explicit Cache(size_t bytes, bool notes = false);

  // When a line was last fetched, and from which level; the caller defines both numbers.
  struct Note {
    uint64_t clock;
    int level;
  };

  // Where a line may be.
  struct Place {
    uint32_t set;
    uint8_t print;  // a byte of its hash
  };
  Place place_of(uint64_t line) const;

  // Reads sectors of a line; returns the sectors that were missing.
  uint32_t read(LinePart part, Place place, Traffic* traffic);
  // The note of the line that was read last; valid only after set_note().
  Note note() const { return {notes_[last_] >> 2, static_cast<int>(notes_[last_] & 3)}; }
  void set_note(Note note) { notes_[last_] = note.clock << 2 | note.level; }
  // Writes sectors of a line; nothing is fetched.
  void write(LinePart part, Place place, Traffic* traffic);
  // Prefetches the set that a lookup reads: the table is larger than the host processor's caches.
  void prefetch(Place place) const { __builtin_prefetch(&sets_[place.set], 1); }
  // Whether these sectors of a line are in the cache.
  bool has(LinePart part) const;
  // Sectors that wait to be written back.
  uint64_t dirty_sectors() const;

 private:
  static constexpr unsigned kWays = 16;
  static constexpr uint32_t kAllSectors = 15;

  // What a lookup reads, in a single line of the host processor's cache. The lookup then reads only
  // the matching line's number, to confirm the match. A line stays in its way.
  struct alignas(64) Set {
    uint8_t prints[kWays] = {};  // a byte of each line's hash, by way
    // The ways in the order of their last use, four bits each: the lowest is the most recently
    // used.
    uint64_t order = 0xFEDCBA9876543210u;
    uint8_t states[kWays] = {};  // dirty sectors << 4 | valid sectors
  };

  // The sectors of `sectors` and their partners: DRAM moves 64 bytes at a time.
  static uint32_t with_partners(uint32_t sectors) {
    return sectors | (sectors & 0b0101) << 1 | (sectors & 0b1010) >> 1;
  }
  // Returns the highest bit of each byte or nibble that is zero (`ones` has their lowest bits).
  // Above the first zero, bits of nonzero bytes may be set too.
  static uint64_t zeros(uint64_t word, uint64_t ones, unsigned width) {
    return (word - ones) & ~word & ones << (width - 1);
  }
  // Makes `way` the most recently used.
  static uint64_t moved_to_front(uint64_t order, unsigned way) {
    constexpr uint64_t kNibbles = 0x1111111111111111u;
    const int place = __builtin_ctzll(zeros(order ^ way * kNibbles, kNibbles, 4)) & ~3;
    const uint64_t newer = (uint64_t{1} << place) - 1;
    return (order & ~newer << 4) | (order & newer) << 4 | way;
  }

  // Returns the line's way, kWays for a missing line.
  unsigned find(uint64_t line, Place place) const;
  // Makes the line the most recently used of its set, and returns its state.
  uint8_t& touch(uint64_t line, Place place, Traffic* traffic);

  uint64_t set_count_;
  uint64_t inverse_;  // 2^64 / set_count_, rounded up
  std::vector<Set> sets_;
  std::vector<uint64_t> lines_;  // by set and way, plus one; 0: empty
  std::vector<uint64_t> notes_;  // for each line, or empty
  size_t last_ = 0;              // the place in lines_ that was read or written last
};

// Neighbouring lines go to different sets, and so do lines a power of two apart. The set is a hash
// of 40 bits modulo the number of sets, computed without a division: exact for up to 2^24 sets.
inline Cache::Place Cache::place_of(uint64_t line) const {
  const uint64_t hash = (line ^ line >> 32) * 0x9E3779B97F4A7C15u;
  const uint64_t fraction = (hash >> 24) * inverse_;
  const auto set = static_cast<unsigned __int128>(fraction) * set_count_ >> 64;
  return {static_cast<uint32_t>(set), static_cast<uint8_t>(hash >> 16)};
}

inline __attribute__((always_inline)) unsigned Cache::find(uint64_t line, Place place) const {
  constexpr uint64_t kBytes = 0x0101010101010101u;  // the lowest bit of each
  const Set& set = sets_[place.set];
  const uint64_t* const lines = &lines_[place.set * size_t{kWays}];
  for (unsigned first = 0; first < kWays; first += 8) {
    uint64_t prints;
    memcpy(&prints, &set.prints[first], sizeof(prints));
    uint64_t alike = zeros(prints ^ place.print * kBytes, kBytes, 8);
    for (; alike; alike &= alike - 1) {
      const unsigned way = first + static_cast<unsigned>(__builtin_ctzll(alike)) / 8;
      if (__builtin_expect(lines[way] == line + 1, 1)) return way;
    }
  }
  return kWays;
}

inline __attribute__((always_inline)) uint8_t& Cache::touch(uint64_t line, Place place,
                                                            Traffic* traffic) {
  Set& set = sets_[place.set];
  unsigned way = find(line, place);
  if (way < kWays) {
    set.order = moved_to_front(set.order, way);
  } else {
    way = set.order >> 60;
    set.order = set.order << 4 | way;
    traffic->written += sector_count(with_partners(set.states[way] >> 4));
    set.states[way] = 0;
    set.prints[way] = place.print;
    lines_[place.set * size_t{kWays} + way] = line + 1;
  }
  last_ = place.set * size_t{kWays} + way;
  return set.states[way];
}

inline __attribute__((always_inline)) uint32_t Cache::read(LinePart part, Place place,
                                                           Traffic* traffic) {
  uint8_t& state = touch(part.line, place, traffic);
  const uint32_t valid = state & kAllSectors;
  const uint32_t missing = part.sectors & ~valid;
  const uint32_t fetched = with_partners(missing) & ~valid;
  traffic->requested += sector_count(part.sectors);
  traffic->missed += sector_count(missing);
  traffic->fetched += sector_count(fetched);
  state |= fetched;
  return missing;
}

inline __attribute__((always_inline)) void Cache::write(LinePart part, Place place,
                                                        Traffic* traffic) {
  uint8_t& state = touch(part.line, place, traffic);
  traffic->requested += sector_count(part.sectors);
  state |= part.sectors << 4 | part.sectors;
}

}  // namespace cudacpu::profile

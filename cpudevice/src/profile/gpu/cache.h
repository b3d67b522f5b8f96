// A simple cache: 128-byte lines of four 32-byte sectors, 16 ways, least recently used first out,
// written back. Good enough to tell what stays in the cache from what comes from memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/gpu/requests.h"

namespace cudacpu::profile {

// The traffic that a sequence of accesses caused at the level below, in sectors.
struct Traffic {
  uint64_t requested = 0;  // sectors asked for
  uint64_t missed = 0;     // of those, not there
  uint64_t fetched = 0;    // read from below: pairs of sectors, as DRAM delivers them
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
  // `notes`: whether there is to be a note of each line.
  explicit Cache(size_t bytes, bool notes = false);

  // When a line was last fetched, and from which level; the caller defines both numbers.
  struct Note {
    uint64_t clock;
    int level;
  };

  // Reads sectors of a line; returns those that were not there.
  uint32_t read(LinePart part, Traffic* traffic);
  // The note of the line that was read last. It is valid only after set_note().
  Note note() const { return {notes_[last_] >> 2, static_cast<int>(notes_[last_] & 3)}; }
  void set_note(Note note) { notes_[last_] = note.clock << 2 | note.level; }
  // Writes sectors of a line; nothing is fetched.
  void write(LinePart part, Traffic* traffic);
  // Prefetches what a lookup of a line reads: the table is larger than the host processor's caches.
  void prefetch(uint64_t line) const;
  // Whether these sectors of a line are in the cache.
  bool has(LinePart part) const;
  // Sectors that wait to be written back.
  uint64_t dirty_sectors() const;

 private:
  static constexpr int kWays = 16;

  // What a lookup reads, in one line of the host processor's cache. Of a line's number only one is
  // read, to confirm that it is the right one. A line stays in its way.
  struct alignas(64) Set {
    uint64_t prints[kWays / 8] = {};  // a byte of each line's hash, by way
    // The ways in the order of their last use, four bits each: the most recently used one is the
    // lowest.
    uint64_t order = 0xFEDCBA9876543210u;
    uint8_t states[kWays] = {};  // dirty sectors << 4 | valid sectors
  };

  // Where a line may be.
  struct Place {
    size_t set;
    uint64_t print;  // the byte of its hash, eight times
  };

  Place place_of(uint64_t line) const;
  // Returns the line's way, kWays if it is not there.
  unsigned find(uint64_t line, Place place) const;
  // Makes the line the most recently used one of its set, and returns its state.
  uint8_t& touch(uint64_t line, Traffic* traffic);

  size_t set_count_;
  uint64_t inverse_;  // 2^64 / set_count_, rounded up
  std::vector<Set> sets_;
  std::vector<uint64_t> lines_;  // by set and way, plus one; 0: empty
  std::vector<uint64_t> notes_;  // one for each line, or none
  size_t last_ = 0;              // the place in lines_ that was read or written last
};

}  // namespace cudacpu::profile

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
};

class Cache {
 public:
  // `notes`: whether there is to be a note of each line.
  explicit Cache(size_t bytes, bool notes = false);
  void clear();

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
  // Prefetches the entries of a line: the table is larger than the host processor's caches.
  void prefetch(uint64_t line) const;
  // Whether these sectors of a line are in the cache.
  bool has(LinePart part) const;
  // Sectors that wait to be written back.
  uint64_t dirty_sectors() const;

 private:
  static constexpr int kWays = 16;
  // line << 8 | dirty sectors << 4 | valid sectors; 0: empty. The most recently used one first.
  using Entry = uint64_t;

  size_t first_way(uint64_t line) const;
  Entry& touch(uint64_t line, Traffic* traffic);

  size_t sets_;
  std::vector<Entry> entries_;
  std::vector<uint64_t> notes_;  // one for each entry, or none
  size_t last_ = 0;              // the entry that was read or written last
};

}  // namespace cudacpu::profile

// Which addresses the scheduler uses for what lanes of a warp leave for each other: instrumented
// code reads them, but they are no memory of the program's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudacpu {

struct MeetingRange {
  uintptr_t begin;
  size_t bytes;
  bool has(uintptr_t address) const { return address - begin < bytes; }
};
extern MeetingRange meeting_range;

}  // namespace cudacpu

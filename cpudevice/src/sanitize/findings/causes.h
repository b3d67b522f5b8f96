// Which findings have the same cause, and which finding follows from which.
//
// A missing barrier lets many pairs of lines race: pairs that race between the same two barriers,
// or that share a line, are a single finding. A value that a race has spoiled is used as an index a
// little later: so if threads of a kernel are not synchronised, the race comes first, and accesses
// past an end come after it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cudacpu/runtime.h"
#include "sanitize/findings/cause.h"

namespace cudacpu::sanitize {

// A finding in words.
struct Described {
  const char* kind;
  std::string sentence, file, other_file, kernel, threads, allocation;
  int line = 0, other_line = 0;
  bool in_kernel = false;
  uint3 block{};
  uint64_t count = 0;
  uint64_t detail = 0;
  Cause cause;
  int allocation_number = -1;
  bool shared = false;
  std::string against;              // of a race with another operation
  std::string since;                // the last barrier before a race within a block
  std::vector<std::string> places;  // all lines of a race within a block
};

// Takes findings in the order in which they were found. Returns a finding per cause, causes first.
std::vector<Described> in_order_of_cause(std::vector<Described> found);

}  // namespace cudacpu::sanitize

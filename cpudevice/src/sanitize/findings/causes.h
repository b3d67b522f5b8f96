// Which findings have one cause, and which of them follows from which.
//
// One missing barrier lets many pairs of lines race: those that race within the same stretch
// between two barriers, or that share a line, are one finding. What a race has spoiled is used as
// an index a little later: so where threads of a kernel are not kept in step, that comes first, and
// what lies past an end comes after it.
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
  std::string since;                // the barrier before a race within a block
  std::vector<std::string> places;  // all lines of a race within a block
};

// Takes findings in the order in which they were found. Returns one for each cause, causes first.
std::vector<Described> in_order_of_cause(std::vector<Described> found);

}  // namespace cudacpu::sanitize

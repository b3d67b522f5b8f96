// The copies of one thread that are under way: see include/cudacpu/device/async_copy.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudacpu {

struct AsyncCopy {
  void* to;
  uint64_t low, high;  // what is copied
  unsigned bytes;
  const void* site;  // where it was started
};

struct AsyncCopies {
  std::vector<AsyncCopy> copies;
  std::vector<size_t> groups;  // where each ends in `copies`
  size_t done = 0;             // copies
  size_t done_groups = 0;
};

}  // namespace cudacpu

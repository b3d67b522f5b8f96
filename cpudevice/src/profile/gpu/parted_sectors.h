// Sectors of which one block writes a part and another one, later, the rest.
//
// The L2 cache joins what the warps of a block write to a sector, and what blocks do that begin
// together. A sector that another block completes later costs time, though memory has no more to
// read or to write for it: so an H200 says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/gpu/cache.h"
#include "profile/gpu/requests.h"

namespace cudacpu::profile {

class PartedSectors {
 public:
  // Counts one store of a warp, before the L2 cache does. `block` is a number that increases with
  // each block that begins. Returns how many of the store's sectors another block has begun to
  // write, if that block did not begin together with this one.
  unsigned store(const Request& request, uint64_t block, const Cache& l2);
  // Prefetches what store() reads and writes: the table is larger than the processor's caches.
  void prefetch(const Request& request);

 private:
  static constexpr size_t kEntries = size_t{1} << 18;
  // If two sectors have the same place, the older one is forgotten and costs nothing.
  struct Entry {
    uint64_t sector = 0;
    uint32_t block = 0;
    uint32_t bytes = 0;  // that were written; 0: empty
  };

  static size_t place_of(uint64_t sector) { return sector * 0x9E3779B97F4A7C15u >> 46; }
  unsigned write(uint64_t sector, uint32_t bytes, uint64_t block, const Cache& l2);

  std::vector<Entry> entries_;
};

}  // namespace cudacpu::profile

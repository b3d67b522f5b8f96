// Sectors of which a block writes a part and another block, later, the rest.
//
// The L2 cache joins the writes to a sector by the warps of a block, and by blocks that begin
// together. A sector that another block completes later costs time, though memory reads and writes
// no more bytes: measured on an H200.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/gpu/cache.h"
#include "profile/gpu/requests.h"

namespace cudacpu::profile {

class PartedSectors {
 public:
  // Counts a store of a warp, before the L2 cache does. `block` increases with each block that
  // begins. Returns how many of the store's sectors another block has begun to write, if the two
  // blocks did not begin together.
  unsigned store(const Request& request, uint64_t block, const Cache& l2);
  // Prefetches the entries that store() uses: the table is larger than the processor's caches.
  void prefetch(const Request& request);

 private:
  static constexpr size_t kEntries = size_t{1} << 18;
  // Of two sectors in the same place the older is forgotten and costs nothing.
  struct Entry {
    uint64_t sector = 0;
    uint32_t block = 0;
    uint32_t bytes = 0;  // written bytes; 0: empty
  };

  static size_t place_of(uint64_t sector) { return sector * 0x9E3779B97F4A7C15u >> 46; }
  unsigned write(uint64_t sector, uint32_t bytes, uint64_t block, const Cache& l2);

  std::vector<Entry> entries_;
};

}  // namespace cudacpu::profile

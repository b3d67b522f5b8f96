#include "profile/gpu/parted_sectors.h"

#include "cudacpu/runtime.h"

namespace cudacpu::profile {
namespace {

constexpr uint32_t kWhole = ~uint32_t{0};
constexpr unsigned kSectorsPerLine = kLineBytes / kSectorBytes;
// The number of blocks that begin together: one on each multiprocessor.
constexpr uint64_t kBeginTogether = kMultiprocessors;

bool is_contiguous(const Request& request) {
  return request.regular && request.stride == request.bytes;
}

}  // namespace

void PartedSectors::prefetch(const Request& request) {
  if (entries_.empty() || is_contiguous(request)) return;
  for (uint32_t left = request.lanes; left != 0; left &= left - 1)
    __builtin_prefetch(&entries_[place_of(request.address[__builtin_ctz(left)] / kSectorBytes)], 1);
}

unsigned PartedSectors::store(const Request& request, uint64_t block, const Cache& l2) {
  if (is_contiguous(request) && request.address[0] % kSectorBytes == 0) return 0;
  if (entries_.empty()) entries_.resize(kEntries);
  unsigned parted = 0;
  uint64_t sector = 0;
  uint32_t written = 0;
  for (uint32_t left = request.lanes; left != 0; left &= left - 1) {
    const uint64_t address = request.address[__builtin_ctz(left)];
    if (address / kSectorBytes != sector) {
      if (written) parted += write(sector, written, block, l2);
      sector = address / kSectorBytes;
      written = 0;
    }
    written |= ((uint32_t{1} << request.bytes) - 1) << address % kSectorBytes;
  }
  return parted + (written ? write(sector, written, block, l2) : 0);
}

unsigned PartedSectors::write(uint64_t sector, uint32_t bytes, uint64_t block, const Cache& l2) {
  if (bytes == kWhole) return 0;
  Entry& entry = entries_[place_of(sector)];
  if (entry.bytes && entry.sector == sector) {
    const bool later = block > entry.block + kBeginTogether;
    entry.bytes |= bytes;
    if (later || entry.bytes == kWhole) entry.bytes = 0;
    return later;
  }
  const LinePart part = {sector / kSectorsPerLine, 1u << sector % kSectorsPerLine};
  // After a read of the sector, or a write of all of it, the cache has the rest.
  if (!l2.has(part)) entry = {sector, static_cast<uint32_t>(block), bytes};
  return 0;
}

}  // namespace cudacpu::profile

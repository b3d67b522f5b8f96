#include "profile/gpu/cache.h"

#include <algorithm>

namespace cudacpu::profile {
namespace {

constexpr int kSectors = 4;
constexpr uint64_t kAllSectors = (1 << kSectors) - 1;

// The sectors of `sectors` and their partners: DRAM moves 64 bytes at a time.
uint32_t with_partners(uint32_t sectors) {
  return sectors | (sectors & 0b0101) << 1 | (sectors & 0b1010) >> 1;
}

// Neighbouring lines go to different sets, and so do lines a power of two apart.
uint64_t scatter(uint64_t line) {
  line ^= line >> 32;
  line *= 0x9E3779B97F4A7C15u;
  return line >> 24;
}

}  // namespace

Cache::Cache(size_t bytes, bool notes)
    : sets_(std::max<size_t>(1, bytes / (kLineBytes * kWays))),
      entries_(sets_ * kWays),
      notes_(notes ? sets_ * kWays : 0) {}

void Cache::clear() {
  std::fill(entries_.begin(), entries_.end(), 0);
  std::fill(notes_.begin(), notes_.end(), 0);
}

size_t Cache::first_way(uint64_t line) const {
  return scatter(line) % sets_ * kWays;
}

void Cache::prefetch(uint64_t line) const {
  const Entry* set = &entries_[first_way(line)];
  __builtin_prefetch(set, 1);
  __builtin_prefetch(set + kWays - 1, 1);
}

Cache::Entry& Cache::touch(uint64_t line, Traffic* traffic) {
  last_ = first_way(line);
  Entry* set = &entries_[last_];
  if (set[0] >> 8 == line && set[0]) return set[0];
  int way = 1;
  while (way < kWays - 1 && (set[way] >> 8 != line || !set[way]))
    ++way;
  Entry entry = set[way];
  if (entry >> 8 != line || !entry) {
    const uint32_t dirty = entry >> 4 & kAllSectors;
    if (dirty) traffic->written += sector_count(with_partners(dirty));
    entry = line << 8;
    if (!notes_.empty()) notes_[last_ + way] = 0;
  }
  for (int i = way; i > 0; --i)
    set[i] = set[i - 1];
  set[0] = entry;
  if (!notes_.empty()) {
    uint64_t* const notes = &notes_[last_];
    std::rotate(notes, notes + way, notes + way + 1);
  }
  return set[0];
}

uint32_t Cache::read(LinePart part, Traffic* traffic) {
  Entry& entry = touch(part.line, traffic);
  const uint32_t valid = entry & kAllSectors;
  const uint32_t missing = part.sectors & ~valid;
  traffic->requested += sector_count(part.sectors);
  if (missing) {
    const uint32_t fetched = with_partners(missing) & ~valid;
    traffic->missed += sector_count(missing);
    traffic->fetched += sector_count(fetched);
    entry |= fetched;
  }
  return missing;
}

void Cache::write(LinePart part, Traffic* traffic) {
  Entry& entry = touch(part.line, traffic);
  traffic->requested += sector_count(part.sectors);
  entry |= part.sectors | uint64_t{part.sectors} << 4;
}

bool Cache::has(LinePart part) const {
  const Entry* set = &entries_[first_way(part.line)];
  const Entry* entry =
      std::find_if(set, set + kWays, [&](Entry one) { return one != 0 && one >> 8 == part.line; });
  return entry != set + kWays && (part.sectors & ~*entry) == 0;
}

uint64_t Cache::dirty_sectors() const {
  uint64_t sum = 0;
  for (const Entry entry : entries_)
    sum += sector_count(entry >> 4 & kAllSectors);
  return sum;
}

}  // namespace cudacpu::profile

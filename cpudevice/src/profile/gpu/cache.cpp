#include "profile/gpu/cache.h"

#include <algorithm>

namespace cudacpu::profile {
namespace {

constexpr int kSectors = 4;
constexpr uint32_t kAllSectors = (1 << kSectors) - 1;
// The lowest bit of each byte, and of each group of four bits.
constexpr uint64_t kBytes = 0x0101010101010101u;
constexpr uint64_t kNibbles = 0x1111111111111111u;

// The sectors of `sectors` and their partners: DRAM moves 64 bytes at a time.
uint32_t with_partners(uint32_t sectors) {
  return sectors | (sectors & 0b0101) << 1 | (sectors & 0b1010) >> 1;
}

// Returns the highest bit of each byte or nibble (`ones` has their lowest bits) that is zero. Above
// a zero one there may be bits of others.
uint64_t zeros(uint64_t word, uint64_t ones, unsigned width) {
  return (word - ones) & ~word & ones << (width - 1);
}

// Makes `way` the most recently used one.
uint64_t moved_to_front(uint64_t order, unsigned way) {
  const int place = __builtin_ctzll(zeros(order ^ way * kNibbles, kNibbles, 4)) & ~3;
  const uint64_t newer = (uint64_t{1} << place) - 1;
  return (order & ~newer << 4) | (order & newer) << 4 | way;
}

}  // namespace

Cache::Cache(size_t bytes, bool notes)
    : set_count_(std::max<size_t>(1, bytes / (kLineBytes * kWays))),
      inverse_(~uint64_t{0} / set_count_ + 1),
      sets_(set_count_),
      lines_(set_count_ * kWays),
      notes_(notes ? set_count_ * kWays : 0) {}

// Neighbouring lines go to different sets, and so do lines a power of two apart. The set is a hash
// of 40 bits modulo the number of sets, computed without a division: exact for up to 2^24 sets.
inline Cache::Place Cache::place_of(uint64_t line) const {
  const uint64_t hash = (line ^ line >> 32) * 0x9E3779B97F4A7C15u;
  const uint64_t fraction = (hash >> 24) * inverse_;
  const auto set = static_cast<size_t>(static_cast<unsigned __int128>(fraction) * set_count_ >> 64);
  return {set, (hash >> 16 & 0xFF) * kBytes};
}

void Cache::prefetch(uint64_t line) const {
  const size_t set = place_of(line).set;
  __builtin_prefetch(&sets_[set], 1);
  __builtin_prefetch(&lines_[set * kWays], 1);
  __builtin_prefetch(&lines_[set * kWays + kWays - 1], 1);
}

inline unsigned Cache::find(uint64_t line, Place place) const {
  const Set& set = sets_[place.set];
  const uint64_t* const lines = &lines_[place.set * kWays];
  for (unsigned half = 0; half < kWays / 8; ++half) {
    uint64_t alike = zeros(set.prints[half] ^ place.print, kBytes, 8);
    for (; alike; alike &= alike - 1) {
      const unsigned way = 8 * half + __builtin_ctzll(alike) / 8;
      if (lines[way] == line + 1) return way;
    }
  }
  return kWays;
}

inline uint8_t& Cache::touch(uint64_t line, Traffic* traffic) {
  const Place place = place_of(line);
  Set& set = sets_[place.set];
  unsigned way = find(line, place);
  if (way < kWays) {
    set.order = moved_to_front(set.order, way);
  } else {
    way = set.order >> 60;
    set.order = set.order << 4 | way;
    const uint32_t dirty = set.states[way] >> 4;
    if (dirty) traffic->written += sector_count(with_partners(dirty));
    set.states[way] = 0;
    lines_[place.set * kWays + way] = line + 1;
    uint64_t& prints = set.prints[way / 8];
    prints ^= (prints ^ place.print) & uint64_t{0xFF} << way % 8 * 8;
  }
  last_ = place.set * kWays + way;
  return set.states[way];
}

uint32_t Cache::read(LinePart part, Traffic* traffic) {
  uint8_t& state = touch(part.line, traffic);
  const uint32_t valid = state & kAllSectors;
  const uint32_t missing = part.sectors & ~valid;
  traffic->requested += sector_count(part.sectors);
  if (missing) {
    const uint32_t fetched = with_partners(missing) & ~valid;
    traffic->missed += sector_count(missing);
    traffic->fetched += sector_count(fetched);
    state |= fetched;
  }
  return missing;
}

void Cache::write(LinePart part, Traffic* traffic) {
  uint8_t& state = touch(part.line, traffic);
  traffic->requested += sector_count(part.sectors);
  state |= part.sectors << 4 | part.sectors;
}

bool Cache::has(LinePart part) const {
  const Place place = place_of(part.line);
  const unsigned way = find(part.line, place);
  return way < kWays && (part.sectors & ~sets_[place.set].states[way]) == 0;
}

uint64_t Cache::dirty_sectors() const {
  uint64_t sum = 0;
  for (const Set& set : sets_) {
    for (const uint8_t state : set.states)
      sum += sector_count(state >> 4);
  }
  return sum;
}

}  // namespace cudacpu::profile

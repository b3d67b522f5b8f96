#include "profile/gpu/cache.h"

#include <algorithm>

namespace cudacpu::profile {

Cache::Cache(size_t bytes, bool notes)
    : set_count_(std::max<size_t>(1, bytes / (kLineBytes * kWays))),
      inverse_(~uint64_t{0} / set_count_ + 1),
      sets_(set_count_),
      lines_(set_count_ * kWays),
      notes_(notes ? set_count_ * kWays : 0) {}

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

// Searches in a std::map of ranges by their beginnings.
#pragma once

#include <iterator>

namespace cudacpu {

// The last entry whose key is at most `key`, or end().
template <typename Map>
auto at_or_before(Map& map, const typename Map::key_type& key) {
  const auto after = map.upper_bound(key);
  return after == map.begin() ? map.end() : std::prev(after);
}

}  // namespace cudacpu

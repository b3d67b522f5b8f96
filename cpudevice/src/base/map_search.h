// Searches in a std::map of ranges by where they begin.
#pragma once

#include <iterator>

namespace cudacpu {

// The last entry whose key is not behind `key`, or end().
template <typename Map>
auto at_or_before(Map& map, const typename Map::key_type& key) {
  const auto after = map.upper_bound(key);
  return after == map.begin() ? map.end() : std::prev(after);
}

}  // namespace cudacpu

// What runner and judge must agree on: which random stream is which array.
#pragma once

#include "random.h"

constexpr int kDefaultSize = 1 << 20;

// x[i] = random_float(x_seed(seed), i) and so on, for the seed of one repeat.
inline uint64_t x_seed(uint64_t seed) {
  return stream_seed(seed, 0);
}
inline uint64_t y_seed(uint64_t seed) {
  return stream_seed(seed, 1);
}
// In [-4, 4).
inline float scale_of(uint64_t seed) {
  return 4 * random_float(stream_seed(seed, 2), 0);
}

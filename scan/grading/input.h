// What runner and judge must agree on: which number is where.
#pragma once

#include "random.h"

// The number of elements of a case without --n.
constexpr int kDefaultSize = 1 << 20;
// Inputs are uniform in [0, values), values = 0 meaning all 2^32 numbers. An element in `values`
// equals the next element, so the default gives 10 % repeats; 1 makes all elements zero.
constexpr unsigned kDefaultValues = 10;

// input[i] = random_int(input_seed(seed), i, values), for the seed of one repeat.
inline uint64_t input_seed(uint64_t seed) {
  return stream_seed(seed, 0);
}

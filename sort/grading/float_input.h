// The keys of bitonic_sort as bits of floats.
#pragma once

#include <cstring>

#include "input.h"

inline uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The floats that a comparison with < orders wrongly, and their neighbours.
constexpr uint32_t kSpecialBits[] = {
    0xFFFFFFFF, 0xFFC00000, 0xFF800001,              // NaNs of negative sign
    0xFF800000, 0xFF7FFFFF, 0xBF800000, 0x80000001,  // -inf, largest, -1, smallest
    0x80000000, 0x00000000,                          // -0, +0
    0x00000001, 0x3F800000, 0x7F7FFFFF, 0x7F800000,  // smallest, 1, largest, +inf
    0x7F800001, 0x7FC00000, 0x7FFFFFFF,              // NaNs of positive sign
};

inline uint32_t key_bits(Input input, uint64_t seed, int n, uint64_t i) {
  const uint32_t number = number_of(input, seed, n, i);
  switch (input) {
    case Input::kRandom:
      return bits_of(random_float(key_seed(seed), i));
    case Input::kBits:
      return number;
    case Input::kSpecial:
      return kSpecialBits[number % (sizeof kSpecialBits / sizeof kSpecialBits[0])];
    case Input::kEnds:
      return number == 0 ? 0xFF800000 : 0x7F800000;  // -inf, +inf
    default:
      return bits_of(static_cast<float>(number));
  }
}

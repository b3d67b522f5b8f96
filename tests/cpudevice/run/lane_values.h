// Shared by programs that compare functions of a word's lanes with plain code.
#pragma once

__host__ __device__ inline unsigned random_bits(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state ^ *state >> 15;
}

// A lane of a word, of `width` bytes, as a number.
__host__ __device__ inline long long lane(unsigned word, int width, int index, bool is_signed) {
  const int bits = 8 * width;
  const long long value = word >> (bits * index) & ((1ll << bits) - 1);
  return is_signed && value >> (bits - 1) ? value - (1ll << bits) : value;
}

// The counter-based generator behind every input: (seed, index) -> value, without state.
//
// Runner and judge compute the same input from a seed of eight bytes, on either side of a process
// boundary and in any order. The mixing function is SplitMix64's (Steele, Lea, Flood: "Fast
// splittable pseudorandom number generators", OOPSLA 2014).
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define HARNESS_HOST_DEVICE __host__ __device__
#else
#define HARNESS_HOST_DEVICE
#endif

// 64 random bits.
HARNESS_HOST_DEVICE inline uint64_t random_bits(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// Uniform in [-1, 1): a multiple of 2^-23, exact in float.
HARNESS_HOST_DEVICE inline float random_float(uint64_t seed, uint64_t index) {
  return static_cast<int>(random_bits(seed, index) >> 40) * (1.0f / (1 << 23)) - 1.0f;
}

// random_float cut down to the 8 bits of mantissa of bf16. The upper half of a float is a bf16; the
// lower half is 0.
HARNESS_HOST_DEVICE inline uint32_t random_bf16_bits(uint64_t seed, uint64_t index) {
  const float value = random_float(seed, index);
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & 0xFFFF0000;
}
HARNESS_HOST_DEVICE inline float random_bf16(uint64_t seed, uint64_t index) {
  const uint32_t bits = random_bf16_bits(seed, index);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Uniform in [0, bound), bound > 0 (by multiplication: the bias is below bound / 2^32).
HARNESS_HOST_DEVICE inline uint32_t random_below(uint64_t seed, uint64_t index, uint32_t bound) {
  return static_cast<uint32_t>(((random_bits(seed, index) >> 32) * bound) >> 32);
}

// Uniform in [0, bound), or over all 32 bits where bound is 0.
HARNESS_HOST_DEVICE inline int random_int(uint64_t seed, uint64_t index, uint32_t bound) {
  const auto bits = static_cast<uint32_t>(random_bits(seed, index) >> 32);
  return static_cast<int>(bound == 0 ? bits : random_below(seed, index, bound));
}

// The seed of an array of a repeat: distinct streams from a single printed seed.
HARNESS_HOST_DEVICE inline uint64_t stream_seed(uint64_t seed, uint64_t stream) {
  return random_bits(~seed, stream);
}

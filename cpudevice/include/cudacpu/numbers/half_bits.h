// The 16 bits of a half-precision float: a sign, 5 bits of exponent, 10 of fraction. And the 16
// bits of a bfloat16, the upper half of a float: a sign, 8 bits of exponent, 7 of fraction.
//
// Each conversion is one instruction of a GPU, and a profile does not look inside.
#pragma once

#include "cudacpu/attributes.h"

namespace cudacpu {

CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned float_bits(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline float float_from(unsigned short half) {
  const unsigned sign = static_cast<unsigned>(half >> 15) << 31;
  const unsigned exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 0) {  // zero or subnormal: a multiple of 2^-24
    const float magnitude = static_cast<float>(fraction) * (1.0f / (1 << 24));
    return sign ? -magnitude : magnitude;
  }
  const unsigned bits = sign | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13;
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline double double_from_half(unsigned short half) {
  return float_from(half);
}

// `lost` says that bits below `bits` were lost before: lost bits decide between ties.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short round_to_half(unsigned bits, bool nearest,
                                                                       bool lost) {
  const auto sign = static_cast<unsigned short>(bits >> 16 & 0x8000);
  const unsigned magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return 0x7FFF;                     // NaN, as written by CUDA
  if (magnitude == 0x7F800000) return sign | 0x7C00;             // infinity
  const int exponent = static_cast<int>(magnitude >> 23) - 112;  // of the half
  if (exponent > 30) return sign | (nearest ? 0x7C00 : 0x7BFF);
  // The remaining bits, and the number of dropped bits.
  const unsigned fraction = exponent > 0
                                ? (magnitude & 0x7FFFFF) | static_cast<unsigned>(exponent) << 23
                                : (magnitude & 0x7FFFFF) | 0x800000;
  const int shift = exponent > 0 ? 13 : 14 - exponent;
  if (shift > 25) return sign;
  unsigned half = fraction >> shift;
  const unsigned rest = fraction & ((1u << shift) - 1), middle = 1u << (shift - 1);
  if (nearest && (rest > middle || (rest == middle && (lost || (half & 1))))) ++half;
  return static_cast<unsigned short>(sign | half);  // a carry into the exponent is right
}

CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short half_from(float x) {
  return round_to_half(float_bits(x), true, false);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short half_toward_zero(float x) {
  return round_to_half(float_bits(x), false, false);
}

// Up or down: a number between two halves becomes the upper or the lower half.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short half_directed(float x, bool up) {
  const unsigned short truncated = half_toward_zero(x);
  const bool away = x == x && (x < 0) != up && float_from(truncated) != x;
  return static_cast<unsigned short>(truncated + away);  // a carry into the exponent is right
}

// A float that every rounding takes to the same 16-bit number as the integer x: the float has the
// first 20 bits, and its last bit says whether any later bit was set.
template <typename Integer>
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline float float_to_round(Integer x) {
  const auto bits = static_cast<unsigned long long>(x);
  const unsigned long long magnitude = x < 0 ? 0 - bits : bits;
  int shift = 0;
  while (magnitude >> shift >> 20)
    ++shift;
  unsigned long long kept = magnitude >> shift;
  if (kept << shift != magnitude) kept |= 1;
  const float result = static_cast<float>(kept) * static_cast<float>(1ull << shift);
  return x < 0 ? -result : result;
}

// Converts a double to the next float in the direction of zero, so that the number is rounded only
// once later; `lost` is true if the float is not equal.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned truncated_bits(double x, bool* lost) {
  const float near = static_cast<float>(x);
  unsigned bits = float_bits(near);
  const double back = near;
  const bool beyond = x > 0 ? back > x : back < x;
  if (beyond) --bits;  // also from infinity to the largest float
  *lost = back != x;
  return bits;
}

CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short half_from_double(double x) {
  bool lost;
  const unsigned bits = truncated_bits(x, &lost);
  return round_to_half(bits, true, lost);
}

// A shift, also for a GPU.
CUDACPU_HOST_DEVICE inline float float_from_bfloat16(unsigned short bits) {
  const unsigned whole = static_cast<unsigned>(bits) << 16;
  float x;
  __builtin_memcpy(&x, &whole, sizeof x);
  return x;
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline double double_from_bfloat16(unsigned short bits) {
  const unsigned whole = static_cast<unsigned>(bits) << 16;
  float x;
  __builtin_memcpy(&x, &whole, sizeof x);
  return x;
}

CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short round_to_bfloat16(unsigned bits,
                                                                           bool lost) {
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return 0x7FFF;  // NaN, as written by CUDA
  const unsigned rest = bits & 0xFFFF, odd = bits >> 16 & 1;
  const bool up = rest > 0x8000 || (rest == 0x8000 && (lost || odd));
  return static_cast<unsigned short>((bits >> 16) + up);
}

CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short bfloat16_from(float x) {
  return round_to_bfloat16(float_bits(x), false);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short bfloat16_toward_zero(float x) {
  return x != x ? 0x7FFF : static_cast<unsigned short>(float_bits(x) >> 16);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short bfloat16_directed(float x, bool up) {
  const unsigned short truncated = bfloat16_toward_zero(x);
  const bool away = x == x && (x < 0) != up && double_from_bfloat16(truncated) != x;
  return static_cast<unsigned short>(truncated + away);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short bfloat16_from_double(double x) {
  bool lost;
  const unsigned bits = truncated_bits(x, &lost);
  return round_to_bfloat16(bits, lost);
}

// tf32, a float with 10 digits of fraction: rounds to the nearest, ties away from zero.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned tf32_from(float x) {
  const unsigned bits = float_bits(x);
  constexpr unsigned kExponent = 0x7F800000, kHalf = 0x1000, kLost = 0x1FFF;
  return (bits & kExponent) == kExponent ? bits : (bits + kHalf) & ~kLost;
}

// The smaller and the larger number; -0 is less than +0; of a number and NaN, the number.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline double smaller(double a, double b) {
  return a == 0 && b == 0 ? -(-a - b) : __builtin_fmin(a, b);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline double larger(double a, double b) {
  return a == 0 && b == 0 ? a + b : __builtin_fmax(a, b);
}
// The same, but NaN counts more.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline double smaller_or_nan(double a, double b) {
  return a != a || b != b ? a + b : smaller(a, b);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline double larger_or_nan(double a, double b) {
  return a != a || b != b ? a + b : larger(a, b);
}

// a + b, in a way that rounding the result to fewer bits rounds the sum only once: where a double
// cannot hold the sum, the last bit of the result is 1.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline double sum_to_odd(double a, double b) {
  double sum = a + b;
  const double other = sum - a, rest = (a - (sum - other)) + (b - other);
  unsigned long long bits;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  if (rest != rest || rest == 0 || (bits & 1)) return sum;
  bits += (rest > 0) == (sum > 0) ? 1 : -1;
  __builtin_memcpy(&sum, &bits, sizeof sum);
  return sum;
}

}  // namespace cudacpu

// The 16 bits of a half-precision float: a sign, 5 bits of exponent, 10 of fraction.
#pragma once

#include "attributes.h"

namespace cudacpu {

CUDACPU_HOST_DEVICE inline unsigned float_bits(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

CUDACPU_HOST_DEVICE inline float float_from(unsigned short half) {
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

// `lost` says that bits below those of `bits` were lost before: they decide between ties.
CUDACPU_HOST_DEVICE inline unsigned short round_to_half(unsigned bits, bool nearest, bool lost) {
  const auto sign = static_cast<unsigned short>(bits >> 16 & 0x8000);
  const unsigned magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return 0x7FFF;                     // NaN, as CUDA writes it
  if (magnitude == 0x7F800000) return sign | 0x7C00;             // infinity
  const int exponent = static_cast<int>(magnitude >> 23) - 112;  // of the half
  if (exponent > 30) return sign | (nearest ? 0x7C00 : 0x7BFF);
  // The bits that remain, and how many go.
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

CUDACPU_HOST_DEVICE inline unsigned short half_from(float x) {
  return round_to_half(float_bits(x), true, false);
}
CUDACPU_HOST_DEVICE inline unsigned short half_toward_zero(float x) {
  return round_to_half(float_bits(x), false, false);
}

// By way of the float next to it in the direction of zero, so that it is rounded only once.
CUDACPU_HOST_DEVICE inline unsigned short half_from_double(double x) {
  const float near = static_cast<float>(x);
  unsigned bits = float_bits(near);
  const double back = near;
  const bool beyond = x > 0 ? back > x : back < x;
  if (beyond) --bits;  // also from infinity to the largest float
  return round_to_half(bits, true, back != x);
}

}  // namespace cudacpu

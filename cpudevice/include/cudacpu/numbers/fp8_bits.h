// Numbers of 8 bits: e4m3 (4 bits of exponent, 3 of fraction, no infinity) and e5m2 (5 and 2), for
// cuda_fp8.h and PTX. A number that is too large becomes infinity (NaN in e4m3), or the largest
// number if the conversion saturates.
#pragma once

#include "cudacpu/numbers/half_bits.h"

namespace cudacpu {

enum class Fp8Kind { kE4m3, kE5m2 };

struct Fp8Format {
  int fraction_bits, bias;
  unsigned largest, beyond;  // the codes of the largest number and of what is larger
};
CUDACPU_HOST_DEVICE constexpr Fp8Format fp8_format(Fp8Kind kind) {
  return kind == Fp8Kind::kE4m3 ? Fp8Format{3, 7, 0x7E, 0x7F} : Fp8Format{2, 15, 0x7B, 0x7C};
}

// Rounds the float with the given bits to the nearest number, ties to even. `lost` says that lower
// bits were lost before. One instruction of a GPU, like all conversions in the file.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned char round_to_fp8(unsigned bits, bool lost,
                                                                     bool saturates, Fp8Kind kind) {
  const Fp8Format format = fp8_format(kind);
  const unsigned sign = bits >> 24 & 0x80, magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return 0x7F;  // NaN, as written by CUDA
  const int exponent = static_cast<int>(magnitude >> 23) - 127 + format.bias;
  // The remaining bits, and the number of dropped bits.
  const unsigned fraction = exponent > 0
                                ? (magnitude & 0x7FFFFF) | static_cast<unsigned>(exponent) << 23
                                : (magnitude & 0x7FFFFF) | 0x800000;
  const int shift = 23 - format.fraction_bits + (exponent > 0 ? 0 : 1 - exponent);
  if (shift > 25) return static_cast<unsigned char>(sign);
  unsigned code = fraction >> shift;
  const unsigned rest = fraction & ((1u << shift) - 1), middle = 1u << (shift - 1);
  if (rest > middle || (rest == middle && (lost || (code & 1)))) ++code;
  if (code > format.largest) code = saturates ? format.largest : format.beyond;
  return static_cast<unsigned char>(sign | code);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned char fp8_from_float(float x, bool saturates,
                                                                       Fp8Kind kind) {
  return round_to_fp8(float_bits(x), false, saturates, kind);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned char fp8_from_double(double x, bool saturates,
                                                                        Fp8Kind kind) {
  // A GPU has no instruction for doubles, and CUDA's function keeps NaN's sign and a bit of NaN's
  // fraction.
  unsigned long long bits_of_x;
  __builtin_memcpy(&bits_of_x, &x, sizeof bits_of_x);
  if (x != x) {
    const unsigned bit = kind == Fp8Kind::kE4m3 ? 1 : bits_of_x >> 50 & 1;
    return static_cast<unsigned char>((bits_of_x >> 63 ? 0xFE : 0x7E) | bit);
  }
  bool lost;
  const unsigned bits = truncated_bits(x, &lost);
  return round_to_fp8(bits, lost, saturates, kind);
}

// The bits of a half, which holds every number of both types.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short half_bits_from_fp8(unsigned char code,
                                                                            Fp8Kind kind) {
  const Fp8Format format = fp8_format(kind);
  const unsigned magnitude = code & 0x7F, sign = code & 0x80;
  if (magnitude > (kind == Fp8Kind::kE4m3 ? format.largest : format.beyond)) return 0x7FFF;
  if (kind == Fp8Kind::kE5m2) return static_cast<unsigned short>(code << 8);
  const unsigned exponent = magnitude >> 3, fraction = magnitude & 7;
  constexpr float kSmallest = 1.0f / 512;
  if (exponent == 0)
    return static_cast<unsigned short>(sign << 8 |
                                       half_from(static_cast<float>(fraction) * kSmallest));
  return static_cast<unsigned short>(sign << 8 | (exponent + 8) << 10 | fraction << 7);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline float float_from_fp8(unsigned char code, Fp8Kind kind) {
  const unsigned short half = half_bits_from_fp8(code, kind);
  if (half != 0x7FFF) return float_from(half);
  constexpr unsigned kNan = 0x7FFFFFFF;  // as written by CUDA
  float nan;
  __builtin_memcpy(&nan, &kNan, sizeof nan);
  return nan;
}

}  // namespace cudacpu

// Floats of 8 bits: e4m3 (4 bits of exponent, 3 of fraction, no infinity) and e5m2 (5 and 2);
// alone, in pairs and in fours. They are for storage: arithmetic is that of the types they convert
// to.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "cudacpu/half_bits.h"
#include "vector_types.h"

#include <cstdint>
#include <limits>
#include <type_traits>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;  // the first number is the lower byte
typedef unsigned int __nv_fp8x4_storage_t;

// What becomes of a number that is too large: infinity, or NaN where there is none; or the largest.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define CUDACPU_FP8 CUDACPU_HOST_DEVICE inline

namespace cudacpu {

struct Fp8Format {
  int fraction_bits, bias;
  unsigned largest, beyond;  // the codes of the largest number and of what is larger
};
CUDACPU_FP8 constexpr Fp8Format fp8_format(__nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? Fp8Format{3, 7, 0x7E, 0x7F} : Fp8Format{2, 15, 0x7B, 0x7C};
}

// Rounds the float of these bits to the nearest, of two to the even one. `lost` says that bits
// below were lost before. One instruction of a GPU, as all conversions here.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned char round_to_fp8(
    unsigned bits, bool lost, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const Fp8Format format = fp8_format(kind);
  const unsigned sign = bits >> 24 & 0x80, magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return 0x7F;  // NaN, as CUDA writes it
  const int exponent = static_cast<int>(magnitude >> 23) - 127 + format.bias;
  // The bits that remain, and how many go.
  const unsigned fraction = exponent > 0
                                ? (magnitude & 0x7FFFFF) | static_cast<unsigned>(exponent) << 23
                                : (magnitude & 0x7FFFFF) | 0x800000;
  const int shift = 23 - format.fraction_bits + (exponent > 0 ? 0 : 1 - exponent);
  if (shift > 25) return static_cast<unsigned char>(sign);
  unsigned code = fraction >> shift;
  const unsigned rest = fraction & ((1u << shift) - 1), middle = 1u << (shift - 1);
  if (rest > middle || (rest == middle && (lost || (code & 1)))) ++code;
  if (code > format.largest) code = saturate == __NV_SATFINITE ? format.largest : format.beyond;
  return static_cast<unsigned char>(sign | code);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned char fp8_from_float(
    float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return round_to_fp8(float_bits(x), false, saturate, kind);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned char fp8_from_double(
    double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  // A GPU has no instruction for doubles, and CUDA's function keeps NaN's sign and a bit of it.
  unsigned long long bits_of_x;
  __builtin_memcpy(&bits_of_x, &x, sizeof bits_of_x);
  if (x != x) {
    const unsigned bit = kind == __NV_E4M3 ? 1 : bits_of_x >> 50 & 1;
    return static_cast<unsigned char>((bits_of_x >> 63 ? 0xFE : 0x7E) | bit);
  }
  bool lost;
  const unsigned bits = truncated_bits(x, &lost);
  return round_to_fp8(bits, lost, saturate, kind);
}

// The bits of a half, which holds every number of both types.
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline unsigned short half_bits_from_fp8(
    unsigned char code, __nv_fp8_interpretation_t kind) {
  const Fp8Format format = fp8_format(kind);
  const unsigned magnitude = code & 0x7F, sign = code & 0x80;
  if (magnitude > (kind == __NV_E4M3 ? format.largest : format.beyond)) return 0x7FFF;
  if (kind == __NV_E5M2) return static_cast<unsigned short>(code << 8);
  const unsigned exponent = magnitude >> 3, fraction = magnitude & 7;
  constexpr float kSmallest = 1.0f / 512;
  if (exponent == 0)
    return static_cast<unsigned short>(sign << 8 |
                                       half_from(static_cast<float>(fraction) * kSmallest));
  return static_cast<unsigned short>(sign << 8 | (exponent + 8) << 10 | fraction << 7);
}
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline float float_from_fp8(unsigned char code,
                                                               __nv_fp8_interpretation_t kind) {
  const unsigned short half = half_bits_from_fp8(code, kind);
  if (half != 0x7FFF) return float_from(half);
  constexpr unsigned kNan = 0x7FFFFFFF;  // as CUDA writes it
  float nan;
  __builtin_memcpy(&nan, &kNan, sizeof nan);
  return nan;
}

// An integer, towards zero; of what is too large the last one. NaN gives 0, in 64 bits 2^63.
template <typename T>
CUDACPU_HOST_DEVICE CUDACPU_UNSEEN inline T integer_from_fp8(unsigned char code,
                                                             __nv_fp8_interpretation_t kind) {
  const float x = float_from_fp8(code, kind);
  constexpr T kMost = std::numeric_limits<T>::max(), kLeast = std::numeric_limits<T>::min();
  if (x != x) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : 0;
  if (x >= static_cast<float>(kMost)) return kMost;
  if (x <= static_cast<float>(kLeast)) return kLeast;
  return static_cast<T>(x);
}

// What __nv_fp8_e4m3 and __nv_fp8_e5m2 have in common.
template <__nv_fp8_interpretation_t kKind>
struct Fp8 {
  __nv_fp8_storage_t __x;

  Fp8() = default;
  template <typename T,
            std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, int> = 0>
  CUDACPU_FP8 explicit Fp8(T x)
      : __x(std::is_same_v<T, double>
                ? fp8_from_double(static_cast<double>(x), __NV_SATFINITE, kKind)
                : fp8_from_float(static_cast<float>(x), __NV_SATFINITE, kKind)) {}
  CUDACPU_FP8 explicit Fp8(__half x)
      : __x(fp8_from_float(static_cast<float>(x), __NV_SATFINITE, kKind)) {}
  CUDACPU_FP8 explicit Fp8(__nv_bfloat16 x)
      : __x(fp8_from_float(static_cast<float>(x), __NV_SATFINITE, kKind)) {}

  CUDACPU_FP8 explicit operator float() const { return float_from_fp8(__x, kKind); }
  CUDACPU_FP8 explicit operator double() const { return float_from_fp8(__x, kKind); }
  CUDACPU_FP8 explicit operator __half() const {
    return __ushort_as_half(half_bits_from_fp8(__x, kKind));
  }
  CUDACPU_FP8 explicit operator __nv_bfloat16() const {
    return __nv_bfloat16(float_from_fp8(__x, kKind));
  }
  CUDACPU_FP8 explicit operator bool() const { return (__x & 0x7F) != 0; }
  template <typename T,
            std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
  CUDACPU_FP8 explicit operator T() const {
    return integer_from_fp8<T>(__x, kKind);
  }
};

template <__nv_fp8_interpretation_t kKind>
struct Fp8x2 {
  __nv_fp8x2_storage_t __x;

  Fp8x2() = default;
  template <typename T>
  CUDACPU_FP8 explicit Fp8x2(T two)
      : __x(static_cast<__nv_fp8x2_storage_t>(Fp8<kKind>(two.x).__x | Fp8<kKind>(two.y).__x << 8)) {
  }
  CUDACPU_FP8 explicit operator float2() const {
    return {float_from_fp8(__x & 0xFF, kKind), float_from_fp8(__x >> 8, kKind)};
  }
  CUDACPU_FP8 explicit operator __half2() const {
    return {__ushort_as_half(half_bits_from_fp8(__x & 0xFF, kKind)),
            __ushort_as_half(half_bits_from_fp8(static_cast<unsigned char>(__x >> 8), kKind))};
  }
};

template <__nv_fp8_interpretation_t kKind>
struct Fp8x4 {
  __nv_fp8x4_storage_t __x;

  Fp8x4() = default;
  template <typename T>
  CUDACPU_FP8 explicit Fp8x4(T four) : __x(packed(four.x, four.y, four.z, four.w)) {}
  template <typename T>
  CUDACPU_FP8 explicit Fp8x4(T low, T high) : __x(packed(low.x, low.y, high.x, high.y)) {}
  CUDACPU_FP8 explicit operator float4() const {
    return {float_from_fp8(__x & 0xFF, kKind), float_from_fp8(__x >> 8 & 0xFF, kKind),
            float_from_fp8(__x >> 16 & 0xFF, kKind), float_from_fp8(__x >> 24, kKind)};
  }

 private:
  template <typename T>
  static CUDACPU_FP8 unsigned packed(T a, T b, T c, T d) {
    return Fp8<kKind>(a).__x | Fp8<kKind>(b).__x << 8 | Fp8<kKind>(c).__x << 16 |
           static_cast<unsigned>(Fp8<kKind>(d).__x) << 24;
  }
};

}  // namespace cudacpu

#define CUDACPU_FP8_TYPE(name, base, kind)   \
  struct name : public cudacpu::base<kind> { \
    using cudacpu::base<kind>::base;         \
    name() = default;                        \
  };
CUDACPU_FP8_TYPE(__nv_fp8_e4m3, Fp8, __NV_E4M3)
CUDACPU_FP8_TYPE(__nv_fp8_e5m2, Fp8, __NV_E5M2)
CUDACPU_FP8_TYPE(__nv_fp8x2_e4m3, Fp8x2, __NV_E4M3)
CUDACPU_FP8_TYPE(__nv_fp8x2_e5m2, Fp8x2, __NV_E5M2)
CUDACPU_FP8_TYPE(__nv_fp8x4_e4m3, Fp8x4, __NV_E4M3)
CUDACPU_FP8_TYPE(__nv_fp8x4_e5m2, Fp8x4, __NV_E5M2)
#undef CUDACPU_FP8_TYPE

// ---- conversions of numbers and pairs ----
#define CUDACPU_FP8_FROM(One, one, Two, two, value)                                             \
  CUDACPU_FP8 __nv_fp8_storage_t __nv_cvt_##one##_to_fp8(One x, __nv_saturation_t saturate,     \
                                                         __nv_fp8_interpretation_t kind) {      \
    return value(x, saturate, kind);                                                            \
  }                                                                                             \
  CUDACPU_FP8 __nv_fp8x2_storage_t __nv_cvt_##two##_to_fp8x2(Two x, __nv_saturation_t saturate, \
                                                             __nv_fp8_interpretation_t kind) {  \
    return static_cast<__nv_fp8x2_storage_t>(value(x.x, saturate, kind) |                       \
                                             value(x.y, saturate, kind) << 8);                  \
  }
namespace cudacpu {
CUDACPU_FP8 unsigned char fp8_from_half_bits(unsigned short x, __nv_saturation_t saturate,
                                             __nv_fp8_interpretation_t kind) {
  return fp8_from_float(float_from(x), saturate, kind);
}
CUDACPU_FP8 unsigned char fp8_from_half_bits(__half_raw x, __nv_saturation_t saturate,
                                             __nv_fp8_interpretation_t kind) {
  return fp8_from_half_bits(x.x, saturate, kind);
}
CUDACPU_FP8 unsigned char fp8_from_bfloat16_bits(unsigned short x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t kind) {
  return fp8_from_float(float_from_bfloat16(x), saturate, kind);
}
CUDACPU_FP8 unsigned char fp8_from_bfloat16_bits(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t kind) {
  return fp8_from_bfloat16_bits(x.x, saturate, kind);
}
}  // namespace cudacpu
CUDACPU_FP8_FROM(float, float, float2, float2, cudacpu::fp8_from_float)
CUDACPU_FP8_FROM(double, double, double2, double2, cudacpu::fp8_from_double)
CUDACPU_FP8_FROM(__half_raw, halfraw, __half2_raw, halfraw2, cudacpu::fp8_from_half_bits)
CUDACPU_FP8_FROM(__nv_bfloat16_raw, bfloat16raw, __nv_bfloat162_raw, bfloat16raw2,
                 cudacpu::fp8_from_bfloat16_bits)
#undef CUDACPU_FP8_FROM

CUDACPU_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                               __nv_fp8_interpretation_t kind) {
  return {cudacpu::half_bits_from_fp8(x, kind)};
}
CUDACPU_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                   __nv_fp8_interpretation_t kind) {
  return {cudacpu::half_bits_from_fp8(x & 0xFF, kind),
          cudacpu::half_bits_from_fp8(static_cast<unsigned char>(x >> 8), kind)};
}

#undef CUDACPU_FP8
#endif

// Floats of 8 bits: e4m3 (4 bits of exponent, 3 of fraction, no infinity) and e5m2 (5 and 2);
// alone, in pairs and in fours. The types are for storage: arithmetic converts to larger types
// first.
#pragma once

#include "cuda_runtime_api.h"
#include "cudacpu/numbers/bf16.h"
#include "cudacpu/numbers/fp16.h"
#include "cudacpu/numbers/fp8_bits.h"
#include "vector_types.h"

#include <cstdint>
#include <limits>
#include <type_traits>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;  // the first number is the lower byte
typedef unsigned int __nv_fp8x4_storage_t;

// The result for a number that is too large: infinity (NaN in e4m3), or the largest number.
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define CUDACPU_FP8 CUDACPU_HOST_DEVICE inline

namespace cudacpu {

// The conversions of cudacpu/numbers/fp8_bits.h, with CUDA's names of kinds.
CUDACPU_FP8 constexpr Fp8Kind fp8_kind(__nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? Fp8Kind::kE4m3 : Fp8Kind::kE5m2;
}
CUDACPU_FP8 unsigned char fp8_from_float(float x, __nv_saturation_t saturate,
                                         __nv_fp8_interpretation_t kind) {
  return fp8_from_float(x, saturate == __NV_SATFINITE, fp8_kind(kind));
}
CUDACPU_FP8 unsigned char fp8_from_double(double x, __nv_saturation_t saturate,
                                          __nv_fp8_interpretation_t kind) {
  return fp8_from_double(x, saturate == __NV_SATFINITE, fp8_kind(kind));
}
CUDACPU_FP8 unsigned short half_bits_from_fp8(unsigned char code, __nv_fp8_interpretation_t kind) {
  return half_bits_from_fp8(code, fp8_kind(kind));
}
CUDACPU_FP8 float float_from_fp8(unsigned char code, __nv_fp8_interpretation_t kind) {
  return float_from_fp8(code, fp8_kind(kind));
}

// Rounds to an integer towards zero; numbers out of range give the nearest integer in range. NaN
// gives 0, in 64 bits 2^63.
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

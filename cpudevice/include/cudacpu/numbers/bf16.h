// bfloat16: storage of 16 bits, the upper half of a float; arithmetic by way of double, rounded
// correctly.
#pragma once

#include "cuda_runtime_api.h"
#include "cudacpu/numbers/fp16.h"
#include "cudacpu/numbers/half_bits.h"
#include "vector_types.h"

#include <cmath>
#ifdef __CUDACC__
#include "cudacpu/device/device_code.h"
#endif

#define CUDACPU_BF16 CUDACPU_HOST_DEVICE inline

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

struct alignas(2) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  CUDACPU_BF16 __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  CUDACPU_BF16 __nv_bfloat16(float x) : __x(cudacpu::bfloat16_from(x)) {}
  CUDACPU_BF16 __nv_bfloat16(double x) : __x(cudacpu::bfloat16_from_double(x)) {}
  CUDACPU_BF16 __nv_bfloat16(int x) : __x(cudacpu::bfloat16_from_double(x)) {}
  CUDACPU_BF16 __nv_bfloat16(unsigned int x) : __x(cudacpu::bfloat16_from_double(x)) {}
  CUDACPU_BF16 __nv_bfloat16(short x) : __x(cudacpu::bfloat16_from(x)) {}
  CUDACPU_BF16 __nv_bfloat16(unsigned short x) : __x(cudacpu::bfloat16_from(x)) {}
  CUDACPU_BF16 __nv_bfloat16(long x) : __x(from_integer(x)) {}
  CUDACPU_BF16 __nv_bfloat16(unsigned long x) : __x(from_integer(x)) {}
  CUDACPU_BF16 __nv_bfloat16(long long x) : __x(from_integer(x)) {}
  CUDACPU_BF16 __nv_bfloat16(unsigned long long x) : __x(from_integer(x)) {}
  CUDACPU_BF16 explicit __nv_bfloat16(__half h) : __x(cudacpu::bfloat16_from(h)) {}
  CUDACPU_BF16 operator float() const { return cudacpu::float_from_bfloat16(__x); }
  CUDACPU_BF16 operator __nv_bfloat16_raw() const { return {__x}; }

 private:
  // An integer of 64 bits in two parts, which a double holds.
  template <typename T>
  static CUDACPU_BF16 unsigned short from_integer(T x) {
    const T low = x & 0xFFFFFFFF;
    return cudacpu::bfloat16_from_double(
        cudacpu::sum_to_odd(static_cast<double>(x - low), static_cast<double>(low)));
  }
};

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  CUDACPU_BF16 __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
  CUDACPU_BF16 __nv_bfloat162(const __nv_bfloat162_raw& raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  CUDACPU_BF16 operator __nv_bfloat162_raw() const { return {x.__x, y.__x}; }
};

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

// ---- bits ----
CUDACPU_BF16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16_raw{bits};
}
CUDACPU_BF16 __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
}
CUDACPU_BF16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) {
  return h.__x;
}
CUDACPU_BF16 short __bfloat16_as_short(__nv_bfloat16 h) {
  return static_cast<short>(h.__x);
}

// ---- conversions ----
CUDACPU_BF16 float __bfloat162float(__nv_bfloat16 h) {
  return h;
}
CUDACPU_BF16 __nv_bfloat16 __float2bfloat16(float x) {
  return x;
}
CUDACPU_BF16 __nv_bfloat16 __float2bfloat16_rn(float x) {
  return x;
}
CUDACPU_BF16 __nv_bfloat16 __float2bfloat16_rz(float x) {
  return __ushort_as_bfloat16(cudacpu::bfloat16_toward_zero(x));
}
CUDACPU_BF16 __nv_bfloat16 __float2bfloat16_rd(float x) {
  return __ushort_as_bfloat16(cudacpu::bfloat16_directed(x, false));
}
CUDACPU_BF16 __nv_bfloat16 __float2bfloat16_ru(float x) {
  return __ushort_as_bfloat16(cudacpu::bfloat16_directed(x, true));
}
CUDACPU_BF16 __nv_bfloat16 __double2bfloat16(double x) {
  return x;
}
#define CUDACPU_BF16_INTEGER(name, T)                           \
  CUDACPU_BF16 __nv_bfloat16 __##name##2bfloat16_rn(T x) {      \
    return x;                                                   \
  }                                                             \
  CUDACPU_BF16 __nv_bfloat16 __##name##2bfloat16_rz(T x) {      \
    return __float2bfloat16_rz(cudacpu::float_to_round(x));     \
  }                                                             \
  CUDACPU_BF16 __nv_bfloat16 __##name##2bfloat16_rd(T x) {      \
    return __float2bfloat16_rd(cudacpu::float_to_round(x));     \
  }                                                             \
  CUDACPU_BF16 __nv_bfloat16 __##name##2bfloat16_ru(T x) {      \
    return __float2bfloat16_ru(cudacpu::float_to_round(x));     \
  }                                                             \
  CUDACPU_BF16 T __bfloat162##name##_rn(__nv_bfloat16 h) {      \
    return static_cast<T>(std::nearbyint(__bfloat162float(h))); \
  }                                                             \
  CUDACPU_BF16 T __bfloat162##name##_rz(__nv_bfloat16 h) {      \
    return static_cast<T>(__bfloat162float(h));                 \
  }                                                             \
  CUDACPU_BF16 T __bfloat162##name##_rd(__nv_bfloat16 h) {      \
    return static_cast<T>(std::floor(__bfloat162float(h)));     \
  }                                                             \
  CUDACPU_BF16 T __bfloat162##name##_ru(__nv_bfloat16 h) {      \
    return static_cast<T>(std::ceil(__bfloat162float(h)));      \
  }
CUDACPU_BF16_INTEGER(int, int)
CUDACPU_BF16_INTEGER(uint, unsigned int)
CUDACPU_BF16_INTEGER(short, short)
CUDACPU_BF16_INTEGER(ushort, unsigned short)
CUDACPU_BF16_INTEGER(ll, long long)
CUDACPU_BF16_INTEGER(ull, unsigned long long)
#undef CUDACPU_BF16_INTEGER

// ---- pairs ----
CUDACPU_BF16 __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
CUDACPU_BF16 __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
CUDACPU_BF16 __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) {
  return {h, h};
}
CUDACPU_BF16 __nv_bfloat162 __float2bfloat162_rn(float x) {
  return {x, x};
}
CUDACPU_BF16 __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return {low, high};
}
CUDACPU_BF16 __nv_bfloat162 __float22bfloat162_rn(float2 x) {
  return {x.x, x.y};
}
CUDACPU_BF16 float2 __bfloat1622float2(__nv_bfloat162 h) {
  return {h.x, h.y};
}
CUDACPU_BF16 float __low2float(__nv_bfloat162 h) {
  return h.x;
}
CUDACPU_BF16 float __high2float(__nv_bfloat162 h) {
  return h.y;
}
CUDACPU_BF16 __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) {
  return h.x;
}
CUDACPU_BF16 __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) {
  return h.y;
}
CUDACPU_BF16 __nv_bfloat162 __low2bfloat162(__nv_bfloat162 h) {
  return {h.x, h.x};
}
CUDACPU_BF16 __nv_bfloat162 __high2bfloat162(__nv_bfloat162 h) {
  return {h.y, h.y};
}
CUDACPU_BF16 __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 h) {
  return {h.y, h.x};
}
CUDACPU_BF16 __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.x, b.x};
}
CUDACPU_BF16 __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.y, b.y};
}

#define CUDACPU_SHORT __nv_bfloat16
#define CUDACPU_SHORT2 __nv_bfloat162
#define CUDACPU_WIDEN cudacpu::double_from_bfloat16
#define CUDACPU_NARROW cudacpu::bfloat16_from_double
#include "cudacpu/numbers/short_float.h"

#undef CUDACPU_BF16

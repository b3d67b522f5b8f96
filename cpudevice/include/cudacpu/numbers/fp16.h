// Half-precision floats: storage of 16 bits, arithmetic by way of double, rounded correctly.
#pragma once

#include "cuda_runtime_api.h"
#include "cudacpu/numbers/half_bits.h"
#include "vector_types.h"

#include <cmath>
#ifdef __CUDACC__
#include "cudacpu/device/device_code.h"
#endif

#define CUDACPU_HALF CUDACPU_HOST_DEVICE inline

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

struct alignas(2) __half {
  unsigned short __x;

  __half() = default;
  CUDACPU_HALF __half(const __half_raw& raw) : __x(raw.x) {}
  CUDACPU_HALF __half(float x) : __x(cudacpu::half_from(x)) {}
  CUDACPU_HALF __half(double x) : __x(cudacpu::half_from_double(x)) {}
  CUDACPU_HALF __half(int x) : __x(cudacpu::half_from_double(x)) {}
  CUDACPU_HALF __half(unsigned int x) : __x(cudacpu::half_from_double(x)) {}
  CUDACPU_HALF __half(short x) : __x(cudacpu::half_from(x)) {}
  CUDACPU_HALF __half(unsigned short x) : __x(cudacpu::half_from(x)) {}
  CUDACPU_HALF __half(long long x) : __x(cudacpu::half_from_double(static_cast<double>(x))) {}
  CUDACPU_HALF __half(unsigned long long x)
      : __x(cudacpu::half_from_double(static_cast<double>(x))) {}
  CUDACPU_HALF operator float() const { return cudacpu::float_from(__x); }
  CUDACPU_HALF operator __half_raw() const { return {__x}; }
};

struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  CUDACPU_HALF __half2(const __half& a, const __half& b) : x(a), y(b) {}
  CUDACPU_HALF __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  CUDACPU_HALF operator __half2_raw() const { return {x.__x, y.__x}; }
};

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;

// ---- bits ----
CUDACPU_HALF __half __ushort_as_half(unsigned short bits) {
  return __half_raw{bits};
}
CUDACPU_HALF __half __short_as_half(short bits) {
  return __half_raw{static_cast<unsigned short>(bits)};
}
CUDACPU_HALF unsigned short __half_as_ushort(__half h) {
  return h.__x;
}
CUDACPU_HALF short __half_as_short(__half h) {
  return static_cast<short>(h.__x);
}

// ---- conversions ----
CUDACPU_HALF float __half2float(__half h) {
  return h;
}
CUDACPU_HALF __half __float2half(float x) {
  return x;
}
CUDACPU_HALF __half __float2half_rn(float x) {
  return x;
}
CUDACPU_HALF __half __float2half_rz(float x) {
  return __ushort_as_half(cudacpu::half_toward_zero(x));
}
CUDACPU_HALF __half __float2half_rd(float x) {
  return __ushort_as_half(cudacpu::half_directed(x, false));
}
CUDACPU_HALF __half __float2half_ru(float x) {
  return __ushort_as_half(cudacpu::half_directed(x, true));
}
CUDACPU_HALF __half __double2half(double x) {
  return x;
}
CUDACPU_HALF double __half2double(__half h) {
  return static_cast<float>(h);
}
#define CUDACPU_HALF_INTEGER(name, T)                       \
  CUDACPU_HALF __half __##name##2half_rn(T x) {             \
    return x;                                               \
  }                                                         \
  CUDACPU_HALF __half __##name##2half_rz(T x) {             \
    return __float2half_rz(cudacpu::float_to_round(x));     \
  }                                                         \
  CUDACPU_HALF __half __##name##2half_rd(T x) {             \
    return __float2half_rd(cudacpu::float_to_round(x));     \
  }                                                         \
  CUDACPU_HALF __half __##name##2half_ru(T x) {             \
    return __float2half_ru(cudacpu::float_to_round(x));     \
  }                                                         \
  CUDACPU_HALF T __half2##name##_rn(__half h) {             \
    return static_cast<T>(std::nearbyint(__half2float(h))); \
  }                                                         \
  CUDACPU_HALF T __half2##name##_rz(__half h) {             \
    return static_cast<T>(__half2float(h));                 \
  }                                                         \
  CUDACPU_HALF T __half2##name##_rd(__half h) {             \
    return static_cast<T>(std::floor(__half2float(h)));     \
  }                                                         \
  CUDACPU_HALF T __half2##name##_ru(__half h) {             \
    return static_cast<T>(std::ceil(__half2float(h)));      \
  }
CUDACPU_HALF_INTEGER(int, int)
CUDACPU_HALF_INTEGER(uint, unsigned int)
CUDACPU_HALF_INTEGER(short, short)
CUDACPU_HALF_INTEGER(ushort, unsigned short)
CUDACPU_HALF_INTEGER(ll, long long)
CUDACPU_HALF_INTEGER(ull, unsigned long long)
#undef CUDACPU_HALF_INTEGER

// ---- pairs ----
CUDACPU_HALF __half2 __halves2half2(__half low, __half high) {
  return {low, high};
}
CUDACPU_HALF __half2 make_half2(__half low, __half high) {
  return {low, high};
}
CUDACPU_HALF __half2 __half2half2(__half h) {
  return {h, h};
}
CUDACPU_HALF __half2 __float2half2_rn(float x) {
  return {x, x};
}
CUDACPU_HALF __half2 __floats2half2_rn(float low, float high) {
  return {low, high};
}
CUDACPU_HALF __half2 __float22half2_rn(float2 x) {
  return {x.x, x.y};
}
CUDACPU_HALF float2 __half22float2(__half2 h) {
  return {h.x, h.y};
}
CUDACPU_HALF float __low2float(__half2 h) {
  return h.x;
}
CUDACPU_HALF float __high2float(__half2 h) {
  return h.y;
}
CUDACPU_HALF __half __low2half(__half2 h) {
  return h.x;
}
CUDACPU_HALF __half __high2half(__half2 h) {
  return h.y;
}
CUDACPU_HALF __half2 __low2half2(__half2 h) {
  return {h.x, h.x};
}
CUDACPU_HALF __half2 __high2half2(__half2 h) {
  return {h.y, h.y};
}
CUDACPU_HALF __half2 __lowhigh2highlow(__half2 h) {
  return {h.y, h.x};
}
CUDACPU_HALF __half2 __lows2half2(__half2 a, __half2 b) {
  return {a.x, b.x};
}
CUDACPU_HALF __half2 __highs2half2(__half2 a, __half2 b) {
  return {a.y, b.y};
}

#define CUDACPU_SHORT __half
#define CUDACPU_SHORT2 __half2
#define CUDACPU_WIDEN cudacpu::double_from_half
#define CUDACPU_NARROW cudacpu::half_from_double
#include "cudacpu/numbers/short_float.h"

#undef CUDACPU_HALF

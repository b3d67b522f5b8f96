// Half-precision floats: storage of 16 bits, arithmetic by way of float.
//
// A float has more than twice the digits of a half, so the result of one operation, rounded to
// float and then to half, is the correctly rounded one. The fused operations go by way of double.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime_api.h"
#include "cudacpu/half_bits.h"
#include "vector_types.h"

#include <cmath>
#ifdef __CUDACC__
#include "cudacpu/device/device_code.h"
#endif

#define CUDACPU_HALF CUDACPU_HOST_DEVICE inline

struct __half_raw {
  unsigned short x;
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

// ---- arithmetic: each operation for halves and for pairs ----
#define CUDACPU_HALF_BINARY(name, name2, expression) \
  CUDACPU_HALF __half name(__half p, __half q) {     \
    const float a = p, b = q;                        \
    return expression;                               \
  }                                                  \
  CUDACPU_HALF __half2 name2(__half2 p, __half2 q) { \
    return {name(p.x, q.x), name(p.y, q.y)};         \
  }
#define CUDACPU_SATURATED(x) ((x) > 0 ? (x) < 1 ? (x) : 1.0f : 0.0f)
CUDACPU_HALF_BINARY(__hadd, __hadd2, a + b)
CUDACPU_HALF_BINARY(__hsub, __hsub2, a - b)
CUDACPU_HALF_BINARY(__hmul, __hmul2, a* b)
CUDACPU_HALF_BINARY(__hdiv, __h2div, a / b)
CUDACPU_HALF_BINARY(__hadd_sat, __hadd2_sat, CUDACPU_SATURATED(a + b))
CUDACPU_HALF_BINARY(__hsub_sat, __hsub2_sat, CUDACPU_SATURATED(a - b))
CUDACPU_HALF_BINARY(__hmul_sat, __hmul2_sat, CUDACPU_SATURATED(a* b))
CUDACPU_HALF_BINARY(__hadd_rn, __hadd2_rn, a + b)
CUDACPU_HALF_BINARY(__hsub_rn, __hsub2_rn, a - b)
CUDACPU_HALF_BINARY(__hmul_rn, __hmul2_rn, a* b)
CUDACPU_HALF_BINARY(__hmax, __hmax2, std::fmax(a, b))
CUDACPU_HALF_BINARY(__hmin, __hmin2, std::fmin(a, b))
#undef CUDACPU_HALF_BINARY
#undef CUDACPU_SATURATED

CUDACPU_HALF __half __hfma(__half a, __half b, __half c) {
  return static_cast<double>(float(a)) * float(b) + float(c);
}
CUDACPU_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

// Host and device alike by the C library, which rounds a float's functions better than a half
// needs.
#define CUDACPU_HALF_UNARY(name, name2, expression) \
  CUDACPU_HALF __half name(__half p) {              \
    const float a = p;                              \
    return expression;                              \
  }                                                 \
  CUDACPU_HALF __half2 name2(__half2 p) {           \
    return {name(p.x), name(p.y)};                  \
  }
CUDACPU_HALF_UNARY(__hneg, __hneg2, -a)
CUDACPU_HALF_UNARY(__habs, __habs2, std::fabs(a))
CUDACPU_HALF_UNARY(hsqrt, h2sqrt, std::sqrt(a))
CUDACPU_HALF_UNARY(hrsqrt, h2rsqrt, 1 / std::sqrt(a))
CUDACPU_HALF_UNARY(hrcp, h2rcp, 1 / a)
CUDACPU_HALF_UNARY(hexp, h2exp, std::exp(a))
CUDACPU_HALF_UNARY(hexp2, h2exp2, std::exp2(a))
CUDACPU_HALF_UNARY(hexp10, h2exp10, std::pow(10.0f, a))
CUDACPU_HALF_UNARY(hlog, h2log, std::log(a))
CUDACPU_HALF_UNARY(hlog2, h2log2, std::log2(a))
CUDACPU_HALF_UNARY(hlog10, h2log10, std::log10(a))
CUDACPU_HALF_UNARY(hsin, h2sin, std::sin(a))
CUDACPU_HALF_UNARY(hcos, h2cos, std::cos(a))
CUDACPU_HALF_UNARY(htanh, h2tanh, std::tanh(a))
CUDACPU_HALF_UNARY(hceil, h2ceil, std::ceil(a))
CUDACPU_HALF_UNARY(hfloor, h2floor, std::floor(a))
CUDACPU_HALF_UNARY(htrunc, h2trunc, std::trunc(a))
CUDACPU_HALF_UNARY(hrint, h2rint, std::nearbyint(a))
#undef CUDACPU_HALF_UNARY

CUDACPU_HALF bool __hisnan(__half h) {
  return (h.__x & 0x7FFF) > 0x7C00;
}
CUDACPU_HALF int __hisinf(__half h) {
  return h.__x == 0x7C00 ? 1 : h.__x == 0xFC00 ? -1 : 0;
}

// ---- comparisons: of halves; of pairs, as 1 or 0 for each; of pairs, both ----
#define CUDACPU_HALF_COMPARISON(name, sign)                          \
  CUDACPU_HALF bool __h##name(__half a, __half b) {                  \
    return float(a) sign float(b);                                   \
  }                                                                  \
  CUDACPU_HALF __half2 __h##name##2(__half2 a, __half2 b) {          \
    return {float(__h##name(a.x, b.x)), float(__h##name(a.y, b.y))}; \
  }                                                                  \
  CUDACPU_HALF bool __hb##name##2(__half2 a, __half2 b) {            \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);               \
  }
CUDACPU_HALF_COMPARISON(eq, ==)
CUDACPU_HALF_COMPARISON(ne, !=)
CUDACPU_HALF_COMPARISON(lt, <)
CUDACPU_HALF_COMPARISON(le, <=)
CUDACPU_HALF_COMPARISON(gt, >)
CUDACPU_HALF_COMPARISON(ge, >=)
#undef CUDACPU_HALF_COMPARISON

// ---- operators ----
#define CUDACPU_HALF_OPERATOR(sign, name)                               \
  CUDACPU_HALF __half operator sign(const __half& a, const __half& b) { \
    return __h##name(a, b);                                             \
  }                                                                     \
  CUDACPU_HALF __half& operator sign##=(__half& a, const __half& b) {   \
    return a = __h##name(a, b);                                         \
  }
CUDACPU_HALF_OPERATOR(+, add)
CUDACPU_HALF_OPERATOR(-, sub)
CUDACPU_HALF_OPERATOR(*, mul)
CUDACPU_HALF_OPERATOR(/, div)
#undef CUDACPU_HALF_OPERATOR
#define CUDACPU_HALF2_OPERATOR(sign, name)                                 \
  CUDACPU_HALF __half2 operator sign(const __half2& a, const __half2& b) { \
    return name(a, b);                                                     \
  }                                                                        \
  CUDACPU_HALF __half2& operator sign##=(__half2& a, const __half2& b) {   \
    return a = name(a, b);                                                 \
  }
CUDACPU_HALF2_OPERATOR(+, __hadd2)
CUDACPU_HALF2_OPERATOR(-, __hsub2)
CUDACPU_HALF2_OPERATOR(*, __hmul2)
CUDACPU_HALF2_OPERATOR(/, __h2div)
#undef CUDACPU_HALF2_OPERATOR
CUDACPU_HALF __half operator-(const __half& a) {
  return __hneg(a);
}
#define CUDACPU_HALF_RELATION(sign, name)                             \
  CUDACPU_HALF bool operator sign(const __half& a, const __half& b) { \
    return __h##name(a, b);                                           \
  }
CUDACPU_HALF_RELATION(==, eq)
CUDACPU_HALF_RELATION(!=, ne)
CUDACPU_HALF_RELATION(<, lt)
CUDACPU_HALF_RELATION(<=, le)
CUDACPU_HALF_RELATION(>, gt)
CUDACPU_HALF_RELATION(>=, ge)
#undef CUDACPU_HALF_RELATION

// ---- between threads ----
#ifdef __CUDACC__
#define CUDACPU_HALF_SHUFFLE(name, Second)                                                       \
  CUDACPU_DEVICE inline __half name(unsigned int mask, __half value, Second lane,                \
                                    int width = 32) {                                            \
    return __ushort_as_half(                                                                     \
        static_cast<unsigned short>(name(mask, static_cast<unsigned>(value.__x), lane, width))); \
  }                                                                                              \
  CUDACPU_DEVICE inline __half2 name(unsigned int mask, __half2 value, Second lane,              \
                                     int width = 32) {                                           \
    const unsigned pair = name(mask, value.x.__x | unsigned{value.y.__x} << 16, lane, width);    \
    return {__ushort_as_half(static_cast<unsigned short>(pair)),                                 \
            __ushort_as_half(static_cast<unsigned short>(pair >> 16))};                          \
  }
CUDACPU_HALF_SHUFFLE(__shfl_sync, int)
CUDACPU_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
CUDACPU_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
CUDACPU_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef CUDACPU_HALF_SHUFFLE

CUDACPU_DEVICE inline __half atomicAdd(__half* p, __half value) {
  cudacpu::note_atomic();
  const auto old = cudacpu::atomic_update(
      &p->__x, [=](unsigned short bits) { return __hadd(__ushort_as_half(bits), value).__x; });
  return __ushort_as_half(old);
}
// Each half by itself, as CUDA says.
CUDACPU_DEVICE inline __half2 atomicAdd(__half2* p, __half2 value) {
  const __half low = atomicAdd(&p->x, value.x);
  return {low, atomicAdd(&p->y, value.y)};
}
#endif

#undef CUDACPU_HALF
#endif

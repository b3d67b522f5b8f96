// Arithmetic with a stated rounding, conversions between numbers, and their bits.
#pragma once

#include "../standard.h"

// Arithmetic: _rn to nearest is the processor's own rounding, the directed roundings are in
// src/arithmetic/rounding.cpp.
#define CUDACPU_ROUNDED(name, T, parameters, nearest) \
  CUDACPU_DEVICE inline T name##_rn parameters {      \
    return nearest;                                   \
  }                                                   \
  CUDACPU_DEVICE T name##_rz parameters;              \
  CUDACPU_DEVICE T name##_ru parameters;              \
  CUDACPU_DEVICE T name##_rd parameters;

CUDACPU_ROUNDED(__fadd, float, (float x, float y), x + y)
CUDACPU_ROUNDED(__fsub, float, (float x, float y), x - y)
CUDACPU_ROUNDED(__fmul, float, (float x, float y), x* y)
CUDACPU_ROUNDED(__fdiv, float, (float x, float y), x / y)
CUDACPU_ROUNDED(__frcp, float, (float x), 1.0f / x)
CUDACPU_ROUNDED(__fsqrt, float, (float x), sqrtf(x))
CUDACPU_ROUNDED(__fmaf, float, (float x, float y, float z), fmaf(x, y, z))
CUDACPU_ROUNDED(__dadd, double, (double x, double y), x + y)
CUDACPU_ROUNDED(__dsub, double, (double x, double y), x - y)
CUDACPU_ROUNDED(__dmul, double, (double x, double y), x* y)
CUDACPU_ROUNDED(__ddiv, double, (double x, double y), x / y)
CUDACPU_ROUNDED(__drcp, double, (double x), 1.0 / x)
CUDACPU_ROUNDED(__dsqrt, double, (double x), ::sqrt(x))
CUDACPU_ROUNDED(__fma, double, (double x, double y, double z), ::fma(x, y, z))
CUDACPU_ROUNDED(__double2float, float, (double x), static_cast<float>(x))
CUDACPU_ROUNDED(__int2float, float, (int x), static_cast<float>(x))
CUDACPU_ROUNDED(__uint2float, float, (unsigned int x), static_cast<float>(x))
CUDACPU_ROUNDED(__ll2float, float, (long long x), static_cast<float>(x))
CUDACPU_ROUNDED(__ull2float, float, (unsigned long long x), static_cast<float>(x))
CUDACPU_ROUNDED(__ll2double, double, (long long x), static_cast<double>(x))
CUDACPU_ROUNDED(__ull2double, double, (unsigned long long x), static_cast<double>(x))
#undef CUDACPU_ROUNDED
CUDACPU_DEVICE inline double __int2double_rn(int x) {
  return x;
}
CUDACPU_DEVICE inline double __uint2double_rn(unsigned int x) {
  return x;
}

// ---- floating point to integer: out of range saturates, NaN gives 0, as on a GPU ----
namespace cudacpu {
template <typename Integer, typename Float>
CUDACPU_HOST_DEVICE inline Integer to_integer(Float x) {
  constexpr Integer low = std::numeric_limits<Integer>::min();
  constexpr Integer high = std::numeric_limits<Integer>::max();
  if (!(x == x)) return 0;
  if (x <= static_cast<Float>(low)) return low;
  if (x >= static_cast<Float>(high)) return high;
  return static_cast<Integer>(x);
}
}  // namespace cudacpu

#define CUDACPU_TO_INTEGER(name, Integer, Float)        \
  CUDACPU_DEVICE inline Integer name##_rn(Float x) {    \
    return cudacpu::to_integer<Integer>(std::rint(x));  \
  }                                                     \
  CUDACPU_DEVICE inline Integer name##_rz(Float x) {    \
    return cudacpu::to_integer<Integer>(x);             \
  }                                                     \
  CUDACPU_DEVICE inline Integer name##_ru(Float x) {    \
    return cudacpu::to_integer<Integer>(std::ceil(x));  \
  }                                                     \
  CUDACPU_DEVICE inline Integer name##_rd(Float x) {    \
    return cudacpu::to_integer<Integer>(std::floor(x)); \
  }

CUDACPU_TO_INTEGER(__float2int, int, float)
CUDACPU_TO_INTEGER(__float2uint, unsigned int, float)
CUDACPU_TO_INTEGER(__float2ll, long long, float)
CUDACPU_TO_INTEGER(__float2ull, unsigned long long, float)
CUDACPU_TO_INTEGER(__double2int, int, double)
CUDACPU_TO_INTEGER(__double2uint, unsigned int, double)
CUDACPU_TO_INTEGER(__double2ll, long long, double)
CUDACPU_TO_INTEGER(__double2ull, unsigned long long, double)
#undef CUDACPU_TO_INTEGER

// ---- the same bits as another type ----
namespace cudacpu {
template <typename To, typename From>
CUDACPU_HOST_DEVICE inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}
}  // namespace cudacpu

CUDACPU_DEVICE inline int __float_as_int(float x) {
  return cudacpu::bits_as<int>(x);
}
CUDACPU_DEVICE inline unsigned int __float_as_uint(float x) {
  return cudacpu::bits_as<unsigned int>(x);
}
CUDACPU_DEVICE inline float __int_as_float(int x) {
  return cudacpu::bits_as<float>(x);
}
CUDACPU_DEVICE inline float __uint_as_float(unsigned int x) {
  return cudacpu::bits_as<float>(x);
}
CUDACPU_DEVICE inline long long __double_as_longlong(double x) {
  return cudacpu::bits_as<long long>(x);
}
CUDACPU_DEVICE inline double __longlong_as_double(long long x) {
  return cudacpu::bits_as<double>(x);
}
CUDACPU_DEVICE inline int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
CUDACPU_DEVICE inline int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
CUDACPU_DEVICE inline double __hiloint2double(int high, int low) {
  const unsigned long long bits =
      (static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32) |
      static_cast<unsigned int>(low);
  return cudacpu::bits_as<double>(bits);
}

// The complex numbers of CUDA's libraries, float2 and double2, and functions for complex numbers.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

// `f` is the ending of the functions' names for float, `fma_name` the fused multiply-add.
#define CUDACPU_COMPLEX(Complex, T, f, fma_name, sqrt_name, abs_name)              \
  CUDACPU_HOST_DEVICE inline Complex make_##Complex(T real, T imaginary) {         \
    return {real, imaginary};                                                      \
  }                                                                                \
  CUDACPU_HOST_DEVICE inline T cuCreal##f(Complex a) {                             \
    return a.x;                                                                    \
  }                                                                                \
  CUDACPU_HOST_DEVICE inline T cuCimag##f(Complex a) {                             \
    return a.y;                                                                    \
  }                                                                                \
  CUDACPU_HOST_DEVICE inline Complex cuConj##f(Complex a) {                        \
    return {a.x, -a.y};                                                            \
  }                                                                                \
  CUDACPU_HOST_DEVICE inline Complex cuCadd##f(Complex a, Complex b) {             \
    return {a.x + b.x, a.y + b.y};                                                 \
  }                                                                                \
  CUDACPU_HOST_DEVICE inline Complex cuCsub##f(Complex a, Complex b) {             \
    return {a.x - b.x, a.y - b.y};                                                 \
  }                                                                                \
  CUDACPU_HOST_DEVICE inline Complex cuCmul##f(Complex a, Complex b) {             \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                         \
  }                                                                                \
  /* Scaled by the divisor's size, so that no square overflows. */                 \
  CUDACPU_HOST_DEVICE inline Complex cuCdiv##f(Complex a, Complex b) {             \
    const T scale = 1 / (abs_name(b.x) + abs_name(b.y));                           \
    const Complex s = {a.x * scale, a.y * scale}, t = {b.x * scale, b.y * scale};  \
    const T inverse = 1 / (t.x * t.x + t.y * t.y);                                 \
    return {(s.x * t.x + s.y * t.y) * inverse, (s.y * t.x - s.x * t.y) * inverse}; \
  }                                                                                \
  CUDACPU_HOST_DEVICE inline T cuCabs##f(Complex a) {                              \
    const T x = abs_name(a.x), y = abs_name(a.y);                                  \
    const T large = x > y ? x : y, small = x > y ? y : x;                          \
    if (large == 0 || large - large != 0) return x + y; /* zero, infinity, NaN */  \
    const T ratio = small / large;                                                 \
    return large * sqrt_name(1 + ratio * ratio);                                   \
  }                                                                                \
  CUDACPU_HOST_DEVICE inline Complex cuCfma##f(Complex a, Complex b, Complex c) {  \
    return {fma_name(-a.y, b.y, fma_name(a.x, b.x, c.x)),                          \
            fma_name(a.y, b.x, fma_name(a.x, b.y, c.y))};                          \
  }
CUDACPU_COMPLEX(cuFloatComplex, float, f, fmaf, sqrtf, fabsf)
CUDACPU_COMPLEX(cuDoubleComplex, double, , fma, sqrt, fabs)
#undef CUDACPU_COMPLEX

CUDACPU_HOST_DEVICE inline cuComplex make_cuComplex(float real, float imaginary) {
  return {real, imaginary};
}
CUDACPU_HOST_DEVICE inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return {a.x, a.y};
}
CUDACPU_HOST_DEVICE inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

#endif

// The mathematical functions of CUDA that the C library lacks. sinf, pow, fma and the like come
// from the C library.
#pragma once

#include "../standard.h"

#define CUDACPU_HD CUDACPU_HOST_DEVICE inline

namespace cudacpu {
// Too long for a header: math.cpp computes these functions in double.
CUDACPU_HOST_DEVICE double inverse_erf(double x);
CUDACPU_HOST_DEVICE double inverse_erfc(double x);
CUDACPU_HOST_DEVICE double scaled_erfc(double x);
CUDACPU_HOST_DEVICE double bessel_i0(double x);
CUDACPU_HOST_DEVICE double bessel_i1(double x);
// sin(pi x) and cos(pi x), exact if the result is 0, 1 or -1.
CUDACPU_HOST_DEVICE double sine_of_pi_times(double x);
CUDACPU_HOST_DEVICE double cosine_of_pi_times(double x);
}  // namespace cudacpu

// ---- roots and norms ----
CUDACPU_HD float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
CUDACPU_HD double rsqrt(double x) {
  return 1.0 / ::sqrt(x);
}
CUDACPU_HD float rsqrt(float x) {
  return rsqrtf(x);
}
CUDACPU_HD float rcbrtf(float x) {
  return 1.0f / cbrtf(x);
}
CUDACPU_HD double rcbrt(double x) {
  return 1.0 / ::cbrt(x);
}
CUDACPU_HD float rcbrt(float x) {
  return rcbrtf(x);
}
CUDACPU_HD float rhypotf(float x, float y) {
  return 1.0f / hypotf(x, y);
}
CUDACPU_HD double rhypot(double x, double y) {
  return 1.0 / ::hypot(x, y);
}
CUDACPU_HD float rhypot(float x, float y) {
  return rhypotf(x, y);
}
CUDACPU_HD float norm3df(float a, float b, float c) {
  return hypotf(hypotf(a, b), c);
}
CUDACPU_HD double norm3d(double a, double b, double c) {
  return ::hypot(::hypot(a, b), c);
}
CUDACPU_HD float norm3d(float a, float b, float c) {
  return norm3df(a, b, c);
}
CUDACPU_HD float norm4df(float a, float b, float c, float d) {
  return hypotf(hypotf(a, b), hypotf(c, d));
}
CUDACPU_HD double norm4d(double a, double b, double c, double d) {
  return ::hypot(::hypot(a, b), ::hypot(c, d));
}
CUDACPU_HD float norm4d(float a, float b, float c, float d) {
  return norm4df(a, b, c, d);
}
CUDACPU_HD float rnorm3df(float a, float b, float c) {
  return 1.0f / norm3df(a, b, c);
}
CUDACPU_HD double rnorm3d(double a, double b, double c) {
  return 1.0 / norm3d(a, b, c);
}
CUDACPU_HD float rnorm3d(float a, float b, float c) {
  return rnorm3df(a, b, c);
}
CUDACPU_HD float rnorm4df(float a, float b, float c, float d) {
  return 1.0f / norm4df(a, b, c, d);
}
CUDACPU_HD double rnorm4d(double a, double b, double c, double d) {
  return 1.0 / norm4d(a, b, c, d);
}
CUDACPU_HD float rnorm4d(float a, float b, float c, float d) {
  return rnorm4df(a, b, c, d);
}
CUDACPU_HD float normf(int dimension, const float* p) {
  float length = 0;
  for (int i = 0; i < dimension; ++i)
    length = hypotf(length, p[i]);
  return length;
}
CUDACPU_HD double norm(int dimension, const double* p) {
  double length = 0;
  for (int i = 0; i < dimension; ++i)
    length = ::hypot(length, p[i]);
  return length;
}
CUDACPU_HD float norm(int dimension, const float* p) {
  return normf(dimension, p);
}
CUDACPU_HD float rnormf(int dimension, const float* p) {
  return 1.0f / normf(dimension, p);
}
CUDACPU_HD double rnorm(int dimension, const double* p) {
  return 1.0 / norm(dimension, p);
}
CUDACPU_HD float rnorm(int dimension, const float* p) {
  return rnormf(dimension, p);
}

// ---- angles ----
CUDACPU_HD float sinpif(float x) {
  return static_cast<float>(cudacpu::sine_of_pi_times(x));
}
CUDACPU_HD double sinpi(double x) {
  return cudacpu::sine_of_pi_times(x);
}
CUDACPU_HD float sinpi(float x) {
  return sinpif(x);
}
CUDACPU_HD float cospif(float x) {
  return static_cast<float>(cudacpu::cosine_of_pi_times(x));
}
CUDACPU_HD double cospi(double x) {
  return cudacpu::cosine_of_pi_times(x);
}
CUDACPU_HD float cospi(float x) {
  return cospif(x);
}
CUDACPU_HD void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
CUDACPU_HD void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
CUDACPU_HD void sincospi(float x, float* s, float* c) {
  sincospif(x, s, c);
}
CUDACPU_HD void sincos(float x, float* s, float* c) {
  sincosf(x, s, c);
}

// ---- exponentials ----
CUDACPU_HD float exp10(float x) {
  return exp10f(x);
}
CUDACPU_HD float fdividef(float x, float y) {
  return x / y;
}
CUDACPU_HD double fdivide(double x, double y) {
  return x / y;
}
CUDACPU_HD float fdivide(float x, float y) {
  return x / y;
}

// ---- error and Bessel functions ----
CUDACPU_HD double erfinv(double x) {
  return cudacpu::inverse_erf(x);
}
CUDACPU_HD float erfinvf(float x) {
  return static_cast<float>(cudacpu::inverse_erf(x));
}
CUDACPU_HD float erfinv(float x) {
  return erfinvf(x);
}
CUDACPU_HD double erfcinv(double x) {
  return cudacpu::inverse_erfc(x);
}
CUDACPU_HD float erfcinvf(float x) {
  return static_cast<float>(cudacpu::inverse_erfc(x));
}
CUDACPU_HD float erfcinv(float x) {
  return erfcinvf(x);
}
CUDACPU_HD double erfcx(double x) {
  return cudacpu::scaled_erfc(x);
}
CUDACPU_HD float erfcxf(float x) {
  return static_cast<float>(cudacpu::scaled_erfc(x));
}
CUDACPU_HD float erfcx(float x) {
  return erfcxf(x);
}
CUDACPU_HD double normcdf(double x) {
  return 0.5 * ::erfc(-x * M_SQRT1_2);
}
CUDACPU_HD float normcdff(float x) {
  return static_cast<float>(normcdf(static_cast<double>(x)));
}
CUDACPU_HD float normcdf(float x) {
  return normcdff(x);
}
CUDACPU_HD double normcdfinv(double p) {
  return -M_SQRT2 * cudacpu::inverse_erfc(2 * p);
}
CUDACPU_HD float normcdfinvf(float p) {
  return static_cast<float>(normcdfinv(static_cast<double>(p)));
}
CUDACPU_HD float normcdfinv(float p) {
  return normcdfinvf(p);
}
CUDACPU_HD double cyl_bessel_i0(double x) {
  return cudacpu::bessel_i0(x);
}
CUDACPU_HD float cyl_bessel_i0f(float x) {
  return static_cast<float>(cudacpu::bessel_i0(x));
}
CUDACPU_HD float cyl_bessel_i0(float x) {
  return cyl_bessel_i0f(x);
}
CUDACPU_HD double cyl_bessel_i1(double x) {
  return cudacpu::bessel_i1(x);
}
CUDACPU_HD float cyl_bessel_i1f(float x) {
  return static_cast<float>(cudacpu::bessel_i1(x));
}
CUDACPU_HD float cyl_bessel_i1(float x) {
  return cyl_bessel_i1f(x);
}
CUDACPU_HD float j0(float x) {
  return j0f(x);
}
CUDACPU_HD float j1(float x) {
  return j1f(x);
}
CUDACPU_HD float jn(int n, float x) {
  return jnf(n, x);
}
CUDACPU_HD float y0(float x) {
  return y0f(x);
}
CUDACPU_HD float y1(float x) {
  return y1f(x);
}
CUDACPU_HD float yn(int n, float x) {
  return ynf(n, x);
}

// Fast approximations: on the CPU device as exact as the slow functions. A profile counts the few
// instructions of a GPU: compiler/counts/prices.py has the numbers. The C library declares some of
// the names itself, hence extern "C" and noexcept.
extern "C" {
CUDACPU_HD CUDACPU_UNSEEN float __sinf(float x) noexcept {
  return sinf(x);
}
CUDACPU_HD CUDACPU_UNSEEN float __cosf(float x) noexcept {
  return cosf(x);
}
CUDACPU_HD CUDACPU_UNSEEN float __tanf(float x) noexcept {
  return tanf(x);
}
CUDACPU_HD CUDACPU_UNSEEN void __sincosf(float x, float* s, float* c) noexcept {
  sincosf(x, s, c);
}
CUDACPU_HD CUDACPU_UNSEEN float __expf(float x) noexcept {
  return expf(x);
}
CUDACPU_HD CUDACPU_UNSEEN float __exp10f(float x) noexcept {
  return exp10f(x);
}
CUDACPU_HD CUDACPU_UNSEEN float __logf(float x) noexcept {
  return logf(x);
}
CUDACPU_HD CUDACPU_UNSEEN float __log2f(float x) noexcept {
  return log2f(x);
}
CUDACPU_HD CUDACPU_UNSEEN float __log10f(float x) noexcept {
  return log10f(x);
}
CUDACPU_HD CUDACPU_UNSEEN float __powf(float x, float y) noexcept {
  return powf(x, y);
}
CUDACPU_HD CUDACPU_UNSEEN float __tanhf(float x) noexcept {
  return tanhf(x);
}
}
CUDACPU_HD CUDACPU_UNSEEN float __fdividef(float x, float y) {
  return x / y;
}
CUDACPU_HD float __saturatef(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
CUDACPU_HD float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / ::sqrt(static_cast<double>(x)));
}

#undef CUDACPU_HD

// The mathematical functions with all overloads: CUDA's own are compared with identities.
// expect: done
#include <math_constants.h>

#include "check.h"

__device__ bool near(double got, double want, double relative = 1e-13) {
  return fabs(got - want) <= relative * fabs(want) + 1e-300;
}

__global__ void roots_kernel(double x) {
  CHECK(near(rsqrt(x) * sqrt(x), 1));
  CHECK(rsqrtf(4.0f) == 0.5f && rsqrt(4.0f) == 0.5f && rsqrt(4.0) == 0.5);
  CHECK(near(rcbrt(27 * x / x), 1.0 / 3));
  CHECK(rhypot(3.0, 4.0) == 0.2 && hypotf(3, 4) == 5);
  CHECK(norm3d(2.0, 3.0, 6.0) == 7 && near(rnorm3d(2.0, 3.0, 6.0), 1.0 / 7));
  CHECK(norm4d(1.0, 1.0, 1.0, 1.0) == 2 && norm4df(2, 2, 2, 2) == 4 &&
        rnorm4d(1.0, 1, 1, 1) == 0.5);
  const double p[] = {1, 2, 2, 4};
  CHECK(norm(4, p) == 5 && near(rnorm(4, p), 0.2));
  CHECK(isinf(rsqrtf(0.0f)) && isnan(rsqrtf(-1.0f)));
}

__global__ void angles_kernel() {
  for (int k = -5; k <= 5; ++k) {
    CHECK(sinpi(double(k)) == 0 && cospi(double(k)) == (k % 2 ? -1 : 1));
    CHECK(cospi(k + 0.5) == 0 && fabs(sinpi(k + 0.5)) == 1);
    CHECK(near(sinpi(k + 0.3), sin(CUDART_PI * (k + 0.3)), 1e-12));
    CHECK(near(cospi(k - 0.2), cos(CUDART_PI * (k - 0.2)), 1e-12));
  }
  CHECK(signbit(sinpi(-0.0)) && sinpif(0.5f) == 1 && cospif(1.0f) == -1);
  CHECK(isnan(sinpi(CUDART_INF)) && sinpi(1e300) == 0);
  float s, c;
  sincosf(0.5f, &s, &c);
  CHECK(s == sinf(0.5f) && c == cosf(0.5f));
  sincospi(0.25f, &s, &c);
  CHECK(s == c);
  double ds, dc;
  sincos(1.0, &ds, &dc);
  CHECK(ds == sin(1.0) && dc == cos(1.0));
}

__global__ void error_functions_kernel() {
  for (double x = -4; x <= 4; x += 0.25) {
    CHECK(near(erfinv(erf(x)), x, 1e-13 / (1e-16 + erfc(fabs(x)))));
    CHECK(near(erfcinv(erfc(x)), x, x < 0 ? 1e-13 / erfc(-x) : 1e-13));
    CHECK(near(normcdfinv(normcdf(x)), x, x > 0 ? 1e-13 / normcdf(-x) : 1e-13));
    CHECK(near(erfcx(x), exp(x * x) * erfc(x)));
  }
  for (double tiny : {1e-30, 1e-100, 1e-300}) {
    CHECK(near(erfc(erfcinv(tiny)), tiny, 1e-11));
    CHECK(near(erfinv(tiny), tiny * sqrt(CUDART_PI) / 2));
  }
  CHECK(isinf(erfinv(1.0)) && erfinv(-1.0) < 0 && isnan(erfinv(1.5)) && erfinv(0.0) == 0);
  CHECK(isinf(erfcinv(0.0)) && erfcinv(1.0) == 0 && isnan(erfcinv(-1.0)) && erfcinv(2.0) < 0);
  CHECK(near(erfcx(100.0), 0.005641613782989432904, 1e-14));
  CHECK(fabsf(normcdff(1.96f) - 0.9750021f) < 1e-6f);
  // Abramowitz and Stegun, table 9.8.
  CHECK(near(cyl_bessel_i0(1.0), 1.266065877752008, 1e-14));
  CHECK(near(cyl_bessel_i1(1.0), 0.565159103992485, 1e-14));
  CHECK(near(cyl_bessel_i0(-10.0), 2815.716628466254, 1e-14));
  CHECK(cyl_bessel_i1(-1.0) == -cyl_bessel_i1(1.0) && cyl_bessel_i0f(0.0f) == 1);
}

__global__ void overloads_kernel(float f, double d, int i, unsigned u, long long ll) {
  CHECK(sizeof(sin(f)) == 4 && sizeof(sin(d)) == 8 && sizeof(sin(i)) == 8);
  CHECK(sizeof(pow(f, f)) == 4 && pow(2, 10) == 1024 && sizeof(fma(f, f, f)) == 4);
  CHECK(sizeof(rsqrt(f)) == 4 && sizeof(exp10(f)) == 4 && sizeof(normcdf(f)) == 4);
  CHECK(sizeof(min(f, d)) == 8 && sizeof(min(i, i)) == 4 && sizeof(max(ll, ll)) == 8);
  // A mixed comparison is unsigned, as in CUDA.
  CHECK(max(-1, 1u) == 0xffffffffu && min(u, -1) == u && umin(3u, 4u) == 3 && llmax(-1, -2) == -1);
  CHECK(min(CUDART_NAN_F, 1.0f) == 1 && max(1.0, CUDART_NAN) == 1 &&
        isnan(max(CUDART_NAN, CUDART_NAN)));
  CHECK(fmaxf(CUDART_NAN_F, 2) == 2 && fmin(d, 1e9) == d);
  CHECK(abs(-f) == f && abs(-i) == i && abs(-ll) == ll && std::abs(-d) == d);
  CHECK(__saturatef(-1) == 0 && __saturatef(2) == 1 && __saturatef(f) == 0.5f &&
        __saturatef(CUDART_NAN_F) == 0);
  CHECK(__sinf(f) == sinf(f) && __expf(f) == expf(f) && __powf(f, 2) == powf(f, 2));
  CHECK(__fdividef(1, 4) == 0.25f && __frsqrt_rn(0.25f) == 2 && fdividef(1, 2) == 0.5f);
  CHECK(std::sqrt(16.0f) == 4 && std::floor(-0.5) == -1 && truncf(-1.5f) == -1 && rintf(2.5f) == 2);
  CHECK(ldexpf(1, 10) == 1024 && ilogb(1024.0) == 10 && copysignf(1, -0.0f) == -1);
  int exponent;
  CHECK(frexpf(8.0f, &exponent) == 0.5f && exponent == 4 && lgamma(1.0) == 0 && tgamma(5.0) == 24);
}

int main() {
  roots_kernel<<<1, 1>>>(7.25);
  angles_kernel<<<1, 1>>>();
  error_functions_kernel<<<1, 1>>>();
  overloads_kernel<<<1, 1>>>(0.5f, 0.25, 3, 4u, 5);
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}

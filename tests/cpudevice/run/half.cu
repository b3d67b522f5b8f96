// Half-precision floats: every conversion, correct rounding of arithmetic, pairs, shuffles,
// atomics.
// expect: done
#include <cuda_fp16.h>

#include <cmath>

#include "check.h"

// By the definition: the value of each of the 65536 patterns, without the header's help.
double value_of(unsigned bits) {
  const double sign = bits >> 15 ? -1 : 1;
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

void test_conversions() {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const __half h = __ushort_as_half(static_cast<unsigned short>(bits));
    const double value = value_of(bits);
    if (std::isnan(value)) {
      CHECK(__hisnan(h) && std::isnan(float(h)));
      continue;
    }
    CHECK(float(h) == static_cast<float>(value));
    CHECK(__half_as_ushort(__float2half(static_cast<float>(value))) == bits);
  }
  // Numbers between neighbours go to the nearer, from the middle to the even neighbour.
  for (unsigned bits = 0; bits < 0x7BFF; ++bits) {
    const double low = value_of(bits), high = value_of(bits + 1), middle = (low + high) / 2;
    const auto nearest = [](double x) { return __half_as_ushort(__double2half(x)); };
    CHECK(nearest(middle) == (bits & 1 ? bits + 1 : bits));
    CHECK(nearest(std::nextafter(middle, 0.0)) == bits);
    CHECK(nearest(std::nextafter(middle, 1e9)) == bits + 1);
    CHECK(nearest(-middle) == ((bits & 1 ? bits + 1 : bits) | 0x8000));
    CHECK(__half_as_ushort(__float2half_rn(static_cast<float>(middle))) == nearest(middle));
    CHECK(__half_as_ushort(__float2half_rz(std::nextafter(static_cast<float>(high), 0.0f))) ==
          bits);
  }
  CHECK(__hisinf(__float2half(65520.0f)) == 1 &&
        __half_as_ushort(__float2half(65519.0f)) == 0x7BFF);
  CHECK(__hisinf(__float2half(-1e10f)) == -1 && __half_as_ushort(__float2half(1e-10f)) == 0);
}

__global__ void arithmetic_kernel(half2* sum, half* total, float* out) {
  const int lane = threadIdx.x;
  CHECK(float(__int2half_rn(2049)) == 2048);
  CHECK(float(__int2half_rz(-2049)) == -2048 && float(__int2half_rd(-2049)) == -2050);
  CHECK(float(__int2half_ru(2049)) == 2050 && float(__uint2half_rd(2051)) == 2050);
  CHECK(float(__ull2half_rz(~0ull)) == 65504 && std::isinf(float(__ll2half_ru(1ll << 40))));
  CHECK(float(__short2half_ru(-2049)) == -2048 && float(__ushort2half_ru(2048)) == 2048);
  CHECK(__half2int_rn(__float2half(2.5f)) == 2 && __half2int_ru(__float2half(2.5f)) == 3);
  CHECK(__half2int_rz(__float2half(-2.5f)) == -2 && __half2int_rd(__float2half(-2.5f)) == -3);
  const half2 value = __floats2half2_rn(lane, 1.0f);
  atomicAdd(sum, value);
  atomicAdd(total, __float2half(0.5f));
  half2 partial = value;
  for (int offset = 16; offset > 0; offset /= 2)
    partial = __hadd2(partial, __shfl_down_sync(0xffffffff, partial, offset));
  const half neighbour = __shfl_xor_sync(0xffffffff, __low2half(value), 1);
  if (lane != 0) return;
  out[0] = __low2float(partial);
  out[1] = __high2float(partial);
  out[2] = neighbour;
  half x = 3;
  x += half(0.25f);
  x = x * half(2.0f) - half(1.5f);
  out[3] = x;
  out[4] = __hfma(half(2048.0f), half(1.0f), half(1.0f));          // 2049 is no half: to even
  out[5] = __hfma(half(1025.0f), half(1025.0f), half(-60000.0f));  // infinite before the sum
  out[6] = hsqrt(half(2.0f));
  out[7] = x > half(4.0f) && __hbge2(half2(1.0f, 2.0f), half2(1.0f, 1.0f));
}

int main() {
  test_conversions();
  half2* sum;
  half* total;
  float* out;
  CHECK_OK(cudaMallocManaged(&sum, sizeof(*sum)));
  CHECK_OK(cudaMallocManaged(&total, sizeof(*total)));
  CHECK_OK(cudaMallocManaged(&out, 8 * sizeof(*out)));
  *sum = half2(0.0f, 0.0f);
  *total = 0.0f;
  arithmetic_kernel<<<1, 32>>>(sum, total, out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(__low2float(*sum) == 496 && __high2float(*sum) == 32 && float(*total) == 16);
  CHECK(out[0] == 496 && out[1] == 32 && out[2] == 1 && out[3] == 5);
  CHECK(out[4] == 2048 && std::isinf(out[5]) && out[6] == 1.4140625f && out[7] == 1);
  printf("done\n");
}

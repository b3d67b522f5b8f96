// bfloat16: every conversion, correct rounding of arithmetic, pairs, shuffles, atomics.
// expect: done
#include <cuda_bf16.h>

#include <cmath>

#include "check.h"

// By the definition: the value of each of the 65536 patterns, without the header's help.
double value_of(unsigned bits) {
  const double sign = bits >> 15 ? -1 : 1;
  const int exponent = bits >> 7 & 255, fraction = bits & 127;
  if (exponent == 255) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -133);
  return sign * std::ldexp(128 + fraction, exponent - 134);
}

unsigned nearest(double x) {
  return __bfloat16_as_ushort(__double2bfloat16(x));
}

void test_conversions() {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const __nv_bfloat16 h = __ushort_as_bfloat16(static_cast<unsigned short>(bits));
    const double value = value_of(bits);
    if (std::isnan(value)) {
      CHECK(__hisnan(h) && std::isnan(float(h)) && nearest(value) == 0x7FFF);
      continue;
    }
    CHECK(float(h) == static_cast<float>(value));
    CHECK(__bfloat16_as_ushort(__float2bfloat16(static_cast<float>(value))) == bits);
  }
  // Numbers between neighbours go to the nearer, from the middle to the even neighbour.
  for (unsigned bits = 0; bits < 0x7F7F; ++bits) {
    const double low = value_of(bits), high = value_of(bits + 1), middle = (low + high) / 2;
    const auto tie = bits & 1 ? bits + 1 : bits;
    CHECK(nearest(middle) == tie && nearest(-middle) == (tie | 0x8000));
    CHECK(nearest(std::nextafter(middle, 0.0)) == bits);
    CHECK(nearest(std::nextafter(middle, 1e300)) == bits + 1);
    const auto x = static_cast<float>(middle);
    CHECK(__bfloat16_as_ushort(__float2bfloat16_rn(x)) == tie);
    CHECK(__bfloat16_as_ushort(__float2bfloat16_rz(x)) == bits);
    CHECK(__bfloat16_as_ushort(__float2bfloat16_ru(x)) == bits + 1);
    CHECK(__bfloat16_as_ushort(__float2bfloat16_rd(-x)) == ((bits + 1) | 0x8000));
    CHECK(__bfloat16_as_ushort(__float2bfloat16_ru(-x)) == (bits | 0x8000));
  }
  CHECK(__hisinf(__float2bfloat16(3.4e38f)) == 1 && __hisinf(__double2bfloat16(-1e300)) == -1);
  // 257 * 2^53 + 1 lies just above the middle of two neighbours; as a double, in the middle.
  CHECK(float(__nv_bfloat16((257ll << 53) + 1)) == std::ldexp(258.0f, 53));
  CHECK(float(__nv_bfloat16(257ll << 53)) == std::ldexp(256.0f, 53));
}

// Against long double, which holds each sum of products below.
void test_rounding() {
  unsigned random = 1;
  const auto next = [&] {
    random = random * 1664525 + 1013904223;
    const unsigned exponent = 117 + (random >> 8) % 20;
    return __ushort_as_bfloat16(
        static_cast<unsigned short>((random >> 16 & 0x807F) | exponent << 7));
  };
  for (int i = 0; i < 20000; ++i) {
    const __nv_bfloat16 a = next(), b = next(), c = next();
    const double x = float(a), y = float(b), z = float(c);
    CHECK(__bfloat16_as_ushort(a + b) == nearest(x + y));
    CHECK(__bfloat16_as_ushort(a * b) == nearest(x * y));
    CHECK(__bfloat16_as_ushort(a / b) == nearest(x / y));
    CHECK(__bfloat16_as_ushort(__hfma(a, b, c)) == nearest(x * y + z));
  }
  // The product is the middle of two numbers, and what is added, 2^-100, decides.
  const __nv_bfloat16 x = 1.5f, y = 87 / 64.0f, tiny = std::ldexp(1.0f, -100);
  CHECK(__bfloat16_as_ushort(x * y) == nearest(260 / 128.0));  // of 261 / 128: the even number
  CHECK(__bfloat16_as_ushort(__hfma(x, y, tiny)) == nearest(262 / 128.0));
  CHECK(__bfloat16_as_ushort(__hfma(x, y, -tiny)) == nearest(260 / 128.0));
}

__global__ void arithmetic_kernel(__nv_bfloat162* sum, nv_bfloat16* total, float* out) {
  const int lane = threadIdx.x;
  CHECK(float(__int2bfloat16_rn(257)) == 256);
  CHECK(__bfloat162int_rn(__float2bfloat16(2.5f)) == 2 &&
        __bfloat162int_ru(__float2bfloat16(2.5f)) == 3);
  const __nv_bfloat162 value = __floats2bfloat162_rn(lane % 8, 1.0f);
  atomicAdd(sum, value);
  atomicAdd(total, __float2bfloat16(0.5f));
  __nv_bfloat162 partial = value;
  for (int offset = 16; offset > 0; offset /= 2)
    partial = __hadd2(partial, __shfl_down_sync(0xffffffff, partial, offset));
  const __nv_bfloat16 neighbour = __shfl_xor_sync(0xffffffff, __low2bfloat16(value), 1);
  if (lane != 0) return;
  out[0] = __low2float(partial);
  out[1] = __high2float(partial);
  out[2] = neighbour;
  __nv_bfloat16 x = 3;
  x += __nv_bfloat16(0.25f);
  x = x * __nv_bfloat16(2.0f) - __nv_bfloat16(1.5f);
  out[3] = x;
  out[4] = hsqrt(__nv_bfloat16(2.0f));
  const __nv_bfloat16 nan = NAN;
  CHECK(!__heq(nan, nan) && !__hne(nan, nan) && nan != nan && __hltu(nan, x) && !(nan < x));
  CHECK(__heq2_mask(__nv_bfloat162(1.0f, 2.0f), __nv_bfloat162(1.0f, 3.0f)) == 0xFFFF);
  CHECK(float(__hmax(nan, x)) == 5 && __hisnan(__hmax_nan(nan, x)));
  CHECK(float(__hfma_relu(x, -x, x)) == 0 && float(__hfma_sat(x, x, x)) == 1);
  const float2 both = __bfloat1622float2(-__nv_bfloat162(1.0f, 2.0f));
  CHECK(both.x == -1 && both.y == -2);
}

int main() {
  // 2^62 + 1 is no float: the conversions must not round twice.
  const long long above = (1ll << 62) + 1;
  CHECK(__bfloat162float(__ll2bfloat16_rd(above)) == 0x1p62f);
  CHECK(__bfloat162float(__ll2bfloat16_ru(above)) == 0x1.02p62f);
  CHECK(__bfloat162float(__ll2bfloat16_rz(-above)) == -0x1p62f);
  CHECK(__bfloat162float(__int2bfloat16_rd(-257)) == -258);
  test_conversions();
  test_rounding();
  __nv_bfloat162* sum;
  nv_bfloat16* total;
  float* out;
  CHECK_OK(cudaMallocManaged(&sum, sizeof(*sum)));
  CHECK_OK(cudaMallocManaged(&total, sizeof(*total)));
  CHECK_OK(cudaMallocManaged(&out, 8 * sizeof(*out)));
  *sum = __nv_bfloat162(0.0f, 0.0f);
  *total = 0.0f;
  arithmetic_kernel<<<1, 32>>>(sum, total, out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(__low2float(*sum) == 112 && __high2float(*sum) == 32 && float(*total) == 16);
  CHECK(out[0] == 112 && out[1] == 32 && out[2] == 1 && out[3] == 5 && out[4] == 1.4140625f);
  printf("done\n");
}

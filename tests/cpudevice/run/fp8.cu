// cuda_fp8.h: e4m3 and e5m2, alone, in pairs and in fours. All codes are converted and converted
// back, and numbers between two codes rounded, on the host and in kernels.
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>

#include "check.h"

// The value of a code by the definition of the format: a number, NaN or infinity.
__host__ __device__ double value_of(unsigned code, __nv_fp8_interpretation_t kind) {
  const bool e4m3 = kind == __NV_E4M3;
  const int bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const int exponent = static_cast<int>(code & 0x7F) >> bits;
  const int fraction = static_cast<int>(code & ((1u << bits) - 1));
  const double sign = code & 0x80 ? -1 : 1;
  if (e4m3 && (code & 0x7F) == 0x7F) return NAN;
  if (!e4m3 && exponent == 31) return fraction ? NAN : sign * INFINITY;
  const int steps = exponent ? fraction + (1 << bits) : fraction;
  return sign * ldexp(steps, (exponent ? exponent : 1) - bias - bits);
}

template <class E, __nv_fp8_interpretation_t kKind>
__host__ __device__ void codes() {
  for (unsigned code = 0; code < 256; ++code) {
    E e;
    e.__x = static_cast<__nv_fp8_storage_t>(code);
    const double value = value_of(code, kKind);
    if (value != value) {
      CHECK(static_cast<float>(e) != static_cast<float>(e));
      CHECK(static_cast<int>(e) == 0 && E(static_cast<float>(e)).__x == 0x7F);
      continue;
    }
    CHECK(static_cast<float>(e) == static_cast<float>(value));
    CHECK(static_cast<double>(e) == value);
    CHECK(__half2float(static_cast<__half>(e)) == static_cast<float>(value));
    CHECK(static_cast<bool>(e) == (value != 0));
    if (std::isinf(value)) {
      CHECK(static_cast<short>(e) == (value > 0 ? 32767 : -32768));
      CHECK(E(value).__x == code - 1);  // the largest number
      CHECK(__nv_cvt_double_to_fp8(value, __NV_NOSAT, kKind) == code);
      continue;
    }
    CHECK(static_cast<int>(e) == static_cast<int>(value));
    CHECK(E(value).__x == code && E(static_cast<float>(value)).__x == code);
    CHECK(E(static_cast<__half>(e)).__x == code);
    CHECK(E(static_cast<__nv_bfloat16>(e)).__x == code);
    const int whole = static_cast<int>(value);
    if (whole == value && whole) CHECK(E(whole).__x == code);
    CHECK(static_cast<signed char>(e) == (whole > 127 ? 127 : whole < -128 ? -128 : whole));
    CHECK(static_cast<unsigned char>(e) == (whole > 255 ? 255 : whole < 0 ? 0 : whole));
  }
}

// Numbers between neighbours go to the nearer, from the middle to the even neighbour. A double is
// rounded once.
template <__nv_fp8_interpretation_t kKind>
__host__ __device__ void rounding() {
  const unsigned largest = kKind == __NV_E4M3 ? 0x7E : 0x7B;
  for (unsigned code = 0; code < largest; ++code) {
    const double low = value_of(code, kKind), high = value_of(code + 1, kKind);
    const double middle = (low + high) / 2;
    const unsigned even = code + code % 2;
    for (unsigned sign : {0u, 0x80u}) {
      const double s = sign ? -1 : 1;
      CHECK(__nv_cvt_float_to_fp8(static_cast<float>(s * middle), __NV_NOSAT, kKind) ==
            (sign | even));
      CHECK(__nv_cvt_double_to_fp8(s * middle, __NV_NOSAT, kKind) == (sign | even));
      CHECK(__nv_cvt_double_to_fp8(s * middle * (1 + 1e-12), __NV_NOSAT, kKind) ==
            (sign | (code + 1)));
      CHECK(__nv_cvt_double_to_fp8(s * middle * (1 - 1e-12), __NV_NOSAT, kKind) == (sign | code));
    }
  }
  const float beyond = static_cast<float>(value_of(largest, kKind)) * 1.2f;
  CHECK(__nv_cvt_float_to_fp8(beyond, __NV_SATFINITE, kKind) == largest);
  CHECK(__nv_cvt_float_to_fp8(beyond, __NV_NOSAT, kKind) == (kKind == __NV_E4M3 ? 0x7F : 0x7C));
}

__host__ __device__ void vectors() {
  const float4 four = make_float4(1, -2.25f, 1000, 0.01f);
  const __nv_fp8x4_e4m3 a(four);
  CHECK(a.__x == 0x057EC138u);
  const float4 back = static_cast<float4>(a);
  CHECK(back.x == 1 && back.y == -2.25f && back.z == 448 && back.w == 5.0f / 512);
  const __nv_fp8x2_e5m2 b(make_float2(3, -6));
  CHECK(b.__x == 0xC642);
  const float2 two = static_cast<float2>(b);
  CHECK(two.x == 3 && two.y == -6);
  const __half2 halves = static_cast<__half2>(b);
  CHECK(__nv_fp8x4_e5m2(halves, halves).__x == 0xC642C642u);
  const __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(0xC642, __NV_E5M2);
  CHECK(raw.x == 0x4200 && raw.y == 0xC600);
  CHECK(__nv_cvt_halfraw2_to_fp8x2(raw, __NV_SATFINITE, __NV_E5M2) == 0xC642);
  CHECK(sizeof(__nv_fp8_e4m3) == 1 && sizeof b == 2 && sizeof a == 4);
}

__host__ __device__ void all() {
  codes<__nv_fp8_e4m3, __NV_E4M3>();
  codes<__nv_fp8_e5m2, __NV_E5M2>();
  rounding<__NV_E4M3>();
  rounding<__NV_E5M2>();
  vectors();
}

// In memory each number takes a byte.
__global__ void scales(const __nv_fp8_e4m3* in, __nv_fp8_e4m3* out, float scale) {
  const int i = threadIdx.x;
  if (i == 0) all();
  out[i] = __nv_fp8_e4m3(static_cast<float>(in[i]) * scale);
}

int main() {
  all();
  __nv_fp8_e4m3 *in, *out;
  CHECK_OK(cudaMallocManaged(&in, 64));
  CHECK_OK(cudaMallocManaged(&out, 64));
  for (int i = 0; i < 64; ++i)
    in[i] = __nv_fp8_e4m3(i / 2);
  scales<<<1, 64>>>(in, out, 0.5f);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i)
    CHECK(out[i].__x == __nv_fp8_e4m3(static_cast<float>(in[i]) / 2).__x);
}

// PTX with numbers of 16 and of 8 bits: arithmetic of half and bfloat16, alone and in pairs,
// conversions, and atomic sums, compared with the functions of cuda_fp16.h, cuda_bf16.h and
// cuda_fp8.h
// flags: -arch=sm_90
// expect: done
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "check.h"

typedef unsigned short Short;

#define ONE(name, a)                                     \
  [&] {                                                  \
    Short result;                                        \
    asm(name " %0, %1;" : "=h"(result) : "h"(Short(a))); \
    return result;                                       \
  }()
#define TWO(name, a, b)                                                     \
  [&] {                                                                     \
    Short result;                                                           \
    asm(name " %0, %1, %2;" : "=h"(result) : "h"(Short(a)), "h"(Short(b))); \
    return result;                                                          \
  }()
#define PAIRS(name, a, b)                                                         \
  [&] {                                                                           \
    unsigned result;                                                              \
    asm(name " %0, %1, %2;" : "=r"(result) : "r"(unsigned(a)), "r"(unsigned(b))); \
    return result;                                                                \
  }()
#define FUSED(name, a, b, c)                                     \
  [&] {                                                          \
    unsigned result;                                             \
    asm(name " %0, %1, %2, %3;"                                  \
        : "=r"(result)                                           \
        : "r"(unsigned(a)), "r"(unsigned(b)), "r"(unsigned(c))); \
    return result;                                               \
  }()

__device__ unsigned pair(unsigned low, unsigned high) {
  return (low & 0xFFFF) | high << 16;
}
__device__ __half half_of(unsigned bits) {
  return __ushort_as_half(Short(bits));
}
__device__ __nv_bfloat16 bfloat16_of(unsigned bits) {
  return __ushort_as_bfloat16(Short(bits));
}
__device__ bool is_nan(__half x) {
  return __hisnan(x);
}
__device__ bool is_nan(__nv_bfloat16 x) {
  return __hisnan(x);
}
__device__ Short bits_of(__half x) {
  return __half_as_ushort(x);
}
__device__ Short bits_of(__nv_bfloat16 x) {
  return __bfloat16_as_ushort(x);
}
template <class T>
__device__ bool same(unsigned bits, T expected) {
  return is_nan(expected) ? (bits & 0x7FFF) > bits_of(T(INFINITY))
                          : Short(bits) == bits_of(expected);
}

__device__ void test_halves(unsigned x, unsigned y, unsigned z) {
  const __half a = half_of(x), b = half_of(y), c = half_of(z);
  const unsigned xx = pair(x, y), yy = pair(y, z), zz = pair(z, x);
  CHECK(same(TWO("add.f16", x, y), __hadd(a, b)));
  CHECK(same(TWO("sub.rn.f16", x, y), __hsub(a, b)));
  CHECK(same(TWO("mul.f16", x, y), __hmul(a, b)));
  CHECK(same(TWO("mul.rn.sat.f16", x, y), __hmul_sat(a, b)));
  CHECK(same(TWO("max.f16", x, y), __hmax(a, b)));
  CHECK(same(TWO("min.NaN.f16", x, y), __hmin_nan(a, b)));
  CHECK(same(ONE("neg.f16", x), __hneg(a)));
  CHECK(same(ONE("abs.f16", x), __habs(a)));
  unsigned r = PAIRS("add.rn.f16x2", xx, yy);
  CHECK(same(r, __hadd(a, b)) && same(r >> 16, __hadd(b, c)));
  r = FUSED("fma.rn.f16x2", xx, yy, zz);
  CHECK(same(r, __hfma(a, b, c)) && same(r >> 16, __hfma(b, c, a)));
  r = FUSED("fma.rn.relu.f16x2", xx, yy, zz);
  CHECK(same(r, __hfma_relu(a, b, c)) && same(r >> 16, __hfma_relu(b, c, a)));
}

__device__ void test_bfloat16(unsigned x, unsigned y, unsigned z) {
  const __nv_bfloat16 a = bfloat16_of(x), b = bfloat16_of(y), c = bfloat16_of(z);
  const unsigned xx = pair(x, y), yy = pair(y, z), zz = pair(z, x);
  CHECK(same(TWO("add.bf16", x, y), __hadd(a, b)));
  CHECK(same(TWO("max.bf16", x, y), __hmax(a, b)));
  unsigned r = PAIRS("mul.bf16x2", xx, yy);
  CHECK(same(r, __hmul(a, b)) && same(r >> 16, __hmul(b, c)));
  r = FUSED("fma.rn.bf16x2", xx, yy, zz);
  CHECK(same(r, __hfma(a, b, c)) && same(r >> 16, __hfma(b, c, a)));
}

__device__ void test_conversions(float f, float g) {
  Short h;
  unsigned r;
  int i;
  double d;
  asm("cvt.rn.f16.s32 %0, %1;" : "=h"(h) : "r"(-2049));
  CHECK(h == bits_of(__int2half_rn(-2049)));
  asm("cvt.rn.f16.u64 %0, %1;" : "=h"(h) : "l"(70000ull));
  CHECK(h == 0x7C00);
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(double(f)));
  CHECK(same(h, __double2half(f)));
  asm("cvt.rzi.s32.f16 %0, %1;" : "=r"(i) : "h"(bits_of(__float2half(-3.75f))));
  CHECK(i == -3);
  asm("cvt.rni.u8.f16 %0, %1;" : "=r"(r) : "h"(bits_of(__float2half(1000))));
  CHECK(r == 255);
  asm("cvt.f64.f16 %0, %1;" : "=d"(d) : "h"(bits_of(__float2half(0.75f))));
  CHECK(d == 0.75);
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(f), "f"(g));
  CHECK(same(r, __float2half(g)) && same(r >> 16, __float2half(f)));
  asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(-1.0f), "f"(2.0f));
  CHECK(r == 0x00004000);
  asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(f), "f"(g));
  CHECK(same(r, __float2half_rz(g)) && same(r >> 16, __float2half_rz(f)));
}

__device__ void test_fp8(float f, float g) {
  Short h;
  unsigned r;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(f), "f"(g));
  CHECK(h == (__nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3) << 8 |
              __nv_cvt_float_to_fp8(g, __NV_SATFINITE, __NV_E4M3)));
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(r) : "h"(h));
  CHECK(Short(r) == __nv_cvt_fp8_to_halfraw(h & 0xFF, __NV_E4M3).x);
  CHECK(r >> 16 == __nv_cvt_fp8_to_halfraw(h >> 8, __NV_E4M3).x);
  asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(h) : "r"(0x7BFFC200u));  // 65504 and -3
  CHECK(h == 0x7BC2);
  asm("cvt.rn.satfinite.relu.e5m2x2.f32 %0, %1, %2;" : "=h"(h) : "f"(-3.0f), "f"(1.0f));
  CHECK(h == 0x003C);
}

__global__ void values_kernel() {
  // Numbers of all sizes, including 0, the smallest, infinities and NaN.
  const unsigned some[] = {0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x3C00, 0xBC01, 0x3555, 0xC248,
                           0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x4900, 0x1234, 0x3F80, 0x4049};
  constexpr int kCount = sizeof some / sizeof *some;
  const int i = threadIdx.x % kCount, j = threadIdx.x / kCount;
  if (j >= kCount) return;
  for (const unsigned z : some) {
    test_halves(some[i], some[j], z);
    test_bfloat16(some[i], some[j], z);
  }
  test_conversions(__half2float(half_of(some[i])) * 1.01f, 0.1f * j);
  test_fp8(__half2float(half_of(some[i])), __half2float(half_of(some[j])));
}

__global__ void atomic_kernel(unsigned* halves, Short* one) {
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(halves), "r"(0x40003C00) : "memory");
  unsigned old;
  asm volatile("atom.global.add.noftz.bf16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(halves + 1), "r"(0x40003F80)
               : "memory");
  CHECK((old == 0) == (Short(old) == 0));  // both numbers grow at once
  asm volatile("red.relaxed.gpu.global.add.noftz.f16 [%0], %1;" ::"l"(one), "h"(Short(0x3C00))
               : "memory");
}

int main() {
  values_kernel<<<1, 352>>>();
  CHECK_OK(cudaDeviceSynchronize());
  unsigned* sums;
  CHECK_OK(cudaMallocManaged(&sums, 12));
  sums[0] = sums[1] = sums[2] = 0;
  atomic_kernel<<<2, 32>>>(sums, reinterpret_cast<Short*>(sums + 2));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(sums[0] == 0x58005400 && sums[1] == 0x43004280 && sums[2] == 0x5400);
  CHECK_OK(cudaFree(sums));
  printf("done\n");
}

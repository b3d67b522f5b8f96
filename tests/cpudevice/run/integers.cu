// Integer and SIMD intrinsics, compared with plain code.
// expect: done
#include "check.h"
#include "lane_values.h"

__global__ void bits_kernel() {
  CHECK(__popc(0xf0f0u) == 8 && __popcll(~0ull) == 64 && __popc(0) == 0);
  CHECK(__clz(1) == 31 && __clz(0) == 32 && __clz(-1) == 0 && __clzll(1) == 63 && __clzll(0) == 64);
  CHECK(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41);
  CHECK(__brev(1u) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u &&
        __brevll(1ull) == 1ull << 63);
  CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x7410) == 0x77441100u);
  CHECK(__byte_perm(0x80u, 0, 0x8888) == 0xffffffffu &&
        __byte_perm(0x70u, 0, 0x0008) == 0x70707000u);
  CHECK(__funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_l(5, 7, 32) == 7 &&
        __funnelshift_lc(5, 7, 33) == 5);
  CHECK(__funnelshift_r(4, 3, 1) == 0x80000002u && __funnelshift_r(5, 7, 0) == 5 &&
        __funnelshift_rc(5, 7, 32) == 7);
  CHECK(__fns(0xf0u, 0, 1) == 4 && __fns(0xf0u, 0, 4) == 7 && __fns(0xf0u, 0, 5) == ~0u &&
        __fns(0xf0u, 31, -1) == 7);
}

__global__ void products_kernel() {
  CHECK(__mulhi(-1, 1) == -1 && __umulhi(~0u, ~0u) == ~0u - 1 && __mulhi(1 << 30, 4) == 1);
  CHECK(__umul64hi(~0ull, ~0ull) == ~0ull - 1 && __mul64hi(-1, 1) == -1 &&
        __mul64hi(1ll << 62, -4) == -1);
  CHECK(__umul64hi(0x123456789abcdef0ull, 0xfedcba9876543210ull) == 0x121fa00ad77d7422ull);
  CHECK(__mul24(-3, 5) == -15 && __mul24(0x01000002, 3) == 6 && __umul24(0xff000003u, 7) == 21);
  CHECK(__sad(-5, 7, 100) == 112 && __usad(3, 10, 1) == 8 &&
        __sad(2147483647, -2147483647 - 1, 0) == ~0u);
  CHECK(__hadd(-3, 0) == -2 && __rhadd(-3, 0) == -1 && __uhadd(~0u, ~0u) == ~0u &&
        __urhadd(1, 2) == 2);
  CHECK(__hadd(2147483647, 2147483647) == 2147483647);
  CHECK(__dp4a(0x01020304, 0x01010101, 10) == 20 && __dp4a(int(0xff000000u), 0x01000000, 0) == -1);
  CHECK(__dp4a(0xff000000u, 0x01000000u, 0u) == 255);
  CHECK(__dp2a_lo(0x00020003, 0x04050607, 1) == 1 + 3 * 7 + 2 * 6 &&
        __dp2a_hi(0x00020003, 0x04050607, 0) == 3 * 5 + 2 * 4);
}

template <typename Intrinsic, typename Plain>
__device__ void compare(const char* name, int width, bool is_signed, Intrinsic intrinsic,
                        Plain plain) {
  unsigned state = 1;
  for (int round = 0; round < 2000; ++round) {
    unsigned a = random_bits(&state), b = random_bits(&state);
    if (round % 3 == 0) a |= 0x80008080u, b &= 0x7f7f7f7fu;
    if (round % 7 == 0) b = a;
    const unsigned got = intrinsic(a, b);
    for (int i = 0; i < 4 / width; ++i) {
      const int want = plain(lane(a, width, i, is_signed), lane(b, width, i, is_signed));
      const int mask = (1 << (8 * width)) - 1;
      if (lane(got, width, i, false) == (want & mask)) continue;
      printf("%s(%08x, %08x) gave %08x: lane %d should be %x\n", name, a, b, got, i, want & mask);
      return;
    }
  }
}

#define COMPARE(name, width, is_signed, expression)                               \
  compare(                                                                        \
      #name, width, is_signed, [](unsigned a, unsigned b) { return name(a, b); }, \
      [](int x, int y) -> int {                                                   \
        (void)y;                                                                  \
        return expression;                                                        \
      })
#define COMPARE_ONE(name, width, expression)                            \
  compare(                                                              \
      #name, width, true, [](unsigned a, unsigned) { return name(a); }, \
      [](int x, int) -> int { return expression; })

__device__ int clamp(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}

__global__ void simd_kernel() {
  COMPARE(__vadd2, 2, false, x + y);
  COMPARE(__vadd4, 1, false, x + y);
  COMPARE(__vsub4, 1, false, x - y);
  COMPARE(__vaddss2, 2, true, clamp(x + y, -32768, 32767));
  COMPARE(__vaddus4, 1, false, clamp(x + y, 0, 255));
  COMPARE(__vsubss4, 1, true, clamp(x - y, -128, 127));
  COMPARE(__vsubus2, 2, false, clamp(x - y, 0, 65535));
  COMPARE(__vavgu4, 1, false, (x + y + 1) / 2);
  COMPARE(__vhaddu2, 2, false, (x + y) / 2);
  COMPARE(__vabsdiffu4, 1, false, abs(x - y));
  COMPARE(__vabsdiffs2, 2, true, abs(x - y));
  COMPARE(__vmaxs4, 1, true, max(x, y));
  COMPARE(__vminu2, 2, false, min(x, y));
  COMPARE(__vcmpeq4, 1, false, x == y ? 255 : 0);
  COMPARE(__vcmpgts2, 2, true, x > y ? 65535 : 0);
  COMPARE(__vsetltu4, 1, false, x < y);
  COMPARE(__vsetges2, 2, true, x >= y);
  COMPARE_ONE(__vabs4, 1, abs(x));
  COMPARE_ONE(__vabsss2, 2, min(abs(x), 32767));
  COMPARE_ONE(__vneg4, 1, -x);
  COMPARE_ONE(__vnegss2, 2, min(-x, 32767));
  CHECK(__vsadu4(0x01020304u, 0x04030201u) == 8 && __vsads2(0xffff0001u, 0x00010002u) == 3);
}

int main() {
  bits_kernel<<<1, 1>>>();
  products_kernel<<<1, 1>>>();
  simd_kernel<<<1, 1>>>();
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}

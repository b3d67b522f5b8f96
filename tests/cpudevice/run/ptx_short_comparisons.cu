// Comparisons of 16-bit numbers in PTX: integers, half and bfloat16, alone and in pairs.
// flags: -arch=sm_90
// expect: done
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

typedef unsigned short Short;

#define ONE(compare, a, b)                                                    \
  [&] {                                                                       \
    unsigned result;                                                          \
    asm("{ .reg .pred p; setp." compare " p, %1, %2; selp.u32 %0, 1, 0, p; }" \
        : "=r"(result)                                                        \
        : "h"(Short(a)), "h"(Short(b)));                                      \
    return result == 1;                                                       \
  }()
// The comparison of the lower numbers is bit 0 of the result, of the upper numbers bit 1.
#define PAIR(compare, a, b)                                            \
  [&] {                                                                \
    unsigned result;                                                   \
    asm("{ .reg .pred p, q; .reg .u32 x, y;\n"                         \
        "setp." compare                                                \
        " p|q, %1, %2;\n"                                              \
        "selp.u32 x, 1, 0, p; selp.u32 y, 2, 0, q; or.b32 %0, x, y; }" \
        : "=r"(result)                                                 \
        : "r"(a), "r"(b));                                             \
    return result;                                                     \
  }()
#define SET(name, result_letter, type, letter, a, b)                                \
  [&] {                                                                             \
    type result;                                                                    \
    asm("set." name " %0, %1, %2;" : result_letter(result) : letter(a), letter(b)); \
    return result;                                                                  \
  }()

constexpr Short kNan = 0x7FFF;

__device__ Short half_bits(float x) {
  return __half_as_ushort(__float2half(x));
}
__device__ Short bfloat16_bits(float x) {
  return __bfloat16_as_ushort(__float2bfloat16(x));
}
__device__ unsigned pair(Short low, Short high) {
  return low | static_cast<unsigned>(high) << 16;
}

__global__ void integers() {
  CHECK(ONE("lt.s16", -1, 1) && !ONE("lt.u16", -1, 1));
  CHECK(!ONE("ge.s16", -1, 1) && ONE("hi.u16", -1, 1));
  CHECK(ONE("eq.b16", 7, 7) && !ONE("ne.b16", 7, 7));
}

__global__ void halves() {
  const Short one = half_bits(1), minus = half_bits(-2.5f), big = half_bits(60000),
              zero = half_bits(0);
  CHECK(ONE("lt.f16", minus, one) && !ONE("gt.f16", minus, one));
  CHECK(ONE("le.f16", big, big) && ONE("ne.f16", big, one));
  CHECK(ONE("eq.f16", zero, half_bits(-0.0f)));
  CHECK(!ONE("lt.f16", kNan, one) && ONE("ltu.f16", kNan, one));
  CHECK(!ONE("ne.f16", kNan, one) && ONE("neu.f16", kNan, one));
  CHECK(ONE("num.f16", big, one) && ONE("nan.f16", big, kNan));
  CHECK(ONE("lt.bf16", bfloat16_bits(-1e30f), bfloat16_bits(1e30f)));
  CHECK(!ONE("gtu.bf16", bfloat16_bits(1), bfloat16_bits(2)));
}

__global__ void pairs() {
  const unsigned a = pair(half_bits(1), half_bits(2)), b = pair(half_bits(2), half_bits(1));
  CHECK(PAIR("lt.f16x2", a, b) == 1 && PAIR("gt.f16x2", a, b) == 2);
  CHECK(PAIR("eq.f16x2", a, a) == 3 && PAIR("eq.f16x2", a, b) == 0);
  CHECK(PAIR("nan.f16x2", pair(kNan, half_bits(1)), b) == 1);
  const unsigned c = pair(bfloat16_bits(1), bfloat16_bits(-3));
  CHECK(PAIR("lt.bf16x2", c, pair(bfloat16_bits(0), bfloat16_bits(0))) == 2);
}

__global__ void sets() {
  const Short one = half_bits(1), two = half_bits(2);
  CHECK(SET("lt.f16.f16", "=h", Short, "h", one, two) == half_bits(1));
  CHECK(SET("gt.f16.f16", "=h", Short, "h", one, two) == 0);
  CHECK(SET("lt.u32.f16", "=r", unsigned, "h", one, two) == ~0u);
  CHECK(SET("lt.u16.f16", "=h", Short, "h", one, two) == 0xFFFF);
  CHECK(SET("ne.bf16.bf16", "=h", Short, "h", bfloat16_bits(1), bfloat16_bits(2)) ==
        bfloat16_bits(1));
  const unsigned a = pair(one, two), b = pair(two, one);
  CHECK(SET("lt.f16x2.f16x2", "=r", unsigned, "r", a, b) == one);
  CHECK(SET("gt.u32.f16x2", "=r", unsigned, "r", a, b) == 0xFFFF0000);
}

int main() {
  integers<<<1, 1>>>();
  halves<<<1, 1>>>();
  pairs<<<1, 1>>>();
  sets<<<1, 1>>>();
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}

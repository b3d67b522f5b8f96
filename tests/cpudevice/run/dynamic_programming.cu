// The functions for dynamic programming (__vimax3_s32, __viaddmin_u16x2, …), on the host and in a
// kernel, compared with plain code.
// expect: done
#include "check.h"
#include "lane_values.h"

struct Three {
  long long a, b, c;
};

__host__ __device__ long long larger(long long a, long long b) {
  return a < b ? b : a;
}
__host__ __device__ long long smaller(long long a, long long b) {
  return a < b ? a : b;
}

template <int kBits, bool kSigned>
__host__ __device__ long long sum(Three v) {
  return lane(static_cast<unsigned>(v.a + v.b), kBits / 8, 0, kSigned);
}

template <int kBits, bool kSigned, class Function, class Plain>
__host__ __device__ void compare(const char* name, Function function, Plain plain) {
  constexpr int kWidth = kBits / 8;
  unsigned state = 7;
  for (int round = 0; round < 500; ++round) {
    unsigned a = random_bits(&state), b = random_bits(&state), c = random_bits(&state);
    if (round % 5 == 0) b = a;
    if (round % 7 == 0) c = 0x80007fffu;
    const unsigned got = function(a, b, c);
    for (int i = 0; i < 32 / kBits; ++i) {
      const long long want = plain(
          {lane(a, kWidth, i, kSigned), lane(b, kWidth, i, kSigned), lane(c, kWidth, i, kSigned)});
      if (lane(got, kWidth, i, kSigned) == want) continue;
      printf("%s(%08x, %08x, %08x) gave %08x\n", name, a, b, c, got);
      return;
    }
  }
}

#define COMPARE(name, bits, is_signed, expression)                                         \
  compare<bits, is_signed>(                                                                \
      #name, [](unsigned a, unsigned b, unsigned c) -> unsigned { return name(a, b, c); }, \
      [](Three v) -> long long { return expression; })
#define COMPARE_TWO(name, bits, expression)                                           \
  compare<bits, true>(                                                                \
      #name, [](unsigned a, unsigned b, unsigned) -> unsigned { return name(a, b); }, \
      [](Three v) -> long long { return expression; })

#define COMPARE_ALL(extreme, best)                                                            \
  COMPARE(__vi##extreme##3_s32, 32, true, best(best(v.a, v.b), v.c));                         \
  COMPARE(__vi##extreme##3_u32, 32, false, best(best(v.a, v.b), v.c));                        \
  COMPARE(__vi##extreme##3_s16x2, 16, true, best(best(v.a, v.b), v.c));                       \
  COMPARE(__vi##extreme##3_u16x2, 16, false, best(best(v.a, v.b), v.c));                      \
  COMPARE(__viadd##extreme##_s32, 32, true, best((sum<32, true>(v)), v.c));                   \
  COMPARE(__viadd##extreme##_u32, 32, false, best((sum<32, false>(v)), v.c));                 \
  COMPARE(__viadd##extreme##_s16x2, 16, true, best((sum<16, true>(v)), v.c));                 \
  COMPARE(__viadd##extreme##_u16x2, 16, false, best((sum<16, false>(v)), v.c));               \
  COMPARE(__vi##extreme##3_s32_relu, 32, true, larger(best(best(v.a, v.b), v.c), 0));         \
  COMPARE(__vi##extreme##3_s16x2_relu, 16, true, larger(best(best(v.a, v.b), v.c), 0));       \
  COMPARE(__viadd##extreme##_s32_relu, 32, true, larger(best((sum<32, true>(v)), v.c), 0));   \
  COMPARE(__viadd##extreme##_s16x2_relu, 16, true, larger(best((sum<16, true>(v)), v.c), 0)); \
  COMPARE_TWO(__vi##extreme##_s32_relu, 32, larger(best(v.a, v.b), 0));                       \
  COMPARE_TWO(__vi##extreme##_s16x2_relu, 16, larger(best(v.a, v.b), 0))

__host__ __device__ void compare_all() {
  COMPARE_ALL(max, larger);
  COMPARE_ALL(min, smaller);
}

// Functions that also tell which argument is the result: of equal arguments the first.
__host__ __device__ void compare_choices() {
  bool high = false, low = true;
  CHECK(__vibmax_s32(-1, 1, &low) == 1 && !low);
  CHECK(__vibmax_u32(~0u, 1u, &low) == ~0u && low);
  CHECK(__vibmin_s32(-1, 1, &low) == -1 && low);
  CHECK(__vibmin_u32(~0u, 1u, &low) == 1 && !low);
  CHECK(__vibmax_s32(5, 5, &low) == 5 && low);
  CHECK(__vibmax_s16x2(0xffff0002u, 0x00010001u, &high, &low) == 0x00010002u && !high && low);
  CHECK(__vibmax_u16x2(0xffff0002u, 0x00010003u, &high, &low) == 0xffff0003u && high && !low);
  CHECK(__vibmin_s16x2(0xffff0002u, 0x00010002u, &high, &low) == 0xffff0002u && high && low);
  CHECK(__vibmin_u16x2(0xffff0002u, 0x00010001u, &high, &low) == 0x00010001u && !high && !low);
}

__global__ void compare_in_kernel() {
  compare_all();
  compare_choices();
}

int main() {
  compare_all();
  compare_choices();
  compare_in_kernel<<<1, 1>>>();
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}

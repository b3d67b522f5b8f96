// The functions for dynamic programming (__vimax3_s32, __viaddmin_u16x2, …), on the host and in a
// kernel, compared with the plainest code that does the same.
// expect: done
#include "check.h"

__host__ __device__ unsigned random_word(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state ^ *state >> 15;
}

struct Three {
  long long a, b, c;
};

__host__ __device__ long long larger(long long a, long long b) {
  return a < b ? b : a;
}
__host__ __device__ long long smaller(long long a, long long b) {
  return a < b ? a : b;
}

// `bits` of a word from `shift` on, as a number.
template <int kBits, bool kSigned>
__host__ __device__ long long number(unsigned word, int shift) {
  const long long value = word >> shift & ((1ll << kBits) - 1);
  return kSigned && value >> (kBits - 1) ? value - (1ll << kBits) : value;
}
template <int kBits, bool kSigned>
__host__ __device__ long long sum(Three v) {
  return number<kBits, kSigned>(static_cast<unsigned>(v.a + v.b) & ((1ll << kBits) - 1), 0);
}

template <int kBits, bool kSigned, class Function, class Plain>
__host__ __device__ void compare(const char* name, Function function, Plain plain) {
  unsigned state = 7;
  for (int round = 0; round < 500; ++round) {
    unsigned a = random_word(&state), b = random_word(&state), c = random_word(&state);
    if (round % 5 == 0) b = a;
    if (round % 7 == 0) c = 0x80007fffu;
    const unsigned got = function(a, b, c);
    for (int shift = 0; shift < 32; shift += kBits) {
      const Three values = {number<kBits, kSigned>(a, shift), number<kBits, kSigned>(b, shift),
                            number<kBits, kSigned>(c, shift)};
      const long long want = plain(values);
      if (number<kBits, kSigned>(got, shift) == want) continue;
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

// Those that tell which argument is the result; of equal ones it is the first.
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

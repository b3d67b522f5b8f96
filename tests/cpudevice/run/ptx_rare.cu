// Rare PTX: choices by a sign, tests of numbers, products of 24 bits and of bytes, masks, numbers
// saturated and packed, reductions at barriers, cache policies, registers of 128 bits, and
// matrices stored and transposed
// flags: -arch=sm_90
// expect: done
#include <cmath>

#include "check.h"

#define OF_TWO(name, type, a, b)                                                  \
  [&] {                                                                           \
    type result;                                                                  \
    asm(name " %0, %1, %2;" : "=r"(result) : "r"(unsigned(a)), "r"(unsigned(b))); \
    return result;                                                                \
  }()
#define OF_THREE(name, type, a, b, c)                            \
  [&] {                                                          \
    type result;                                                 \
    asm(name " %0, %1, %2, %3;"                                  \
        : "=r"(result)                                           \
        : "r"(unsigned(a)), "r"(unsigned(b)), "r"(unsigned(c))); \
    return result;                                               \
  }()

__device__ void test_integers(unsigned x, unsigned y) {
  CHECK(OF_THREE("slct.u32.s32", unsigned, x, y, 0) == x);
  CHECK(OF_THREE("slct.u32.s32", unsigned, x, y, -1) == y);
  float chosen;
  asm("slct.f32.f32 %0, %1, %2, %3;" : "=f"(chosen) : "f"(1.0f), "f"(2.0f), "f"(NAN));
  CHECK(chosen == 2);
  const auto low = [](unsigned v) { return int(v << 8) >> 8; };
  const long long product = (long long)low(x) * low(y);
  CHECK(OF_TWO("mul24.lo.s32", int, x, y) == int(product));
  CHECK(OF_TWO("mul24.hi.s32", int, x, y) == int(product >> 16));
  CHECK(OF_THREE("mad24.lo.u32", unsigned, x, y, 7) == (x & 0xFFFFFF) * (y & 0xFFFFFF) + 7);
  CHECK(OF_TWO("add.sat.s32", int, 0x7FFFFFF0, 0x20) == 0x7FFFFFFF);
  CHECK(OF_TWO("sub.sat.s32", int, 0x80000000, 1) == int(0x80000000));
  CHECK(OF_THREE("dp4a.u32.s32", int, 0x01FF0280, 0xFF01FE02, 5) == -1 + 255 - 4 + 256 + 5);
  CHECK(OF_THREE("dp2a.lo.s32.u32", int, 0xFFFE0003, 0x0A0B80FF, 1) == 3 * 255 - 2 * 128 + 1);
  CHECK(OF_THREE("dp2a.hi.u32.u32", unsigned, 0x00020003, 0x0A0B80FF, 1) == 3 * 11 + 2 * 10 + 1);
  CHECK(OF_TWO("bmsk.clamp.b32", unsigned, 4, 8) == 0xFF0);
  CHECK(OF_TWO("bmsk.clamp.b32", unsigned, 4, 40) == 0xFFFFFFF0);
  CHECK(OF_TWO("bmsk.wrap.b32", unsigned, 36, 40) == 0xFF0);
  CHECK(OF_TWO("szext.wrap.s32", int, 0x1F5, 4) == 5 &&
        OF_TWO("szext.wrap.s32", int, 0xF9, 4) == -7);
  CHECK(OF_TWO("szext.clamp.u32", unsigned, x, 40) == x);
  CHECK(OF_TWO("szext.wrap.u32", unsigned, x, 33) == (x & 1));
  CHECK(OF_THREE("fns.b32", unsigned, 0xB4, 3, 2) == 5);
  int r;
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(300));
  CHECK(r == 255);
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(-300));
  CHECK(r == -128);
  asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(-3.0f));
  CHECK(r == 0);
  CHECK(OF_TWO("cvt.pack.sat.s16.s32", unsigned, 70000, -70000) == 0x7FFF8000);
  CHECK(OF_THREE("cvt.pack.sat.u8.s32.b32", unsigned, 300, -4, 0x12345678) == 0x5678FF00);
}

#define TEST(name, x)                                                       \
  [&] {                                                                     \
    unsigned result;                                                        \
    asm("{ .reg .pred p; testp." name ".f32 p, %1; selp.u32 %0, 1, 0, p; }" \
        : "=r"(result)                                                      \
        : "f"(x));                                                          \
    return result;                                                          \
  }()
__device__ void test_kinds_of_numbers() {
  const float values[] = {0, -1.5f, 1e-40f, INFINITY, NAN};
  for (const float x : values) {
    float least, most;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(x), "f"(1.0f));
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(x), "f"(1.0f));
    CHECK(x == x ? least == fminf(x, 1) && most == fmaxf(x, 1) : least != least && most != most);
    CHECK(TEST("finite", x) == (std::isfinite(x) ? 1 : 0));
    CHECK(TEST("infinite", x) == (std::isinf(x) ? 1 : 0));
    CHECK(TEST("number", x) == (x == x ? 1 : 0));
    CHECK(TEST("notanumber", x) == (x != x ? 1 : 0));
    CHECK(TEST("normal", x) == (x == 0 || x == -1.5f ? 1 : 0));
    CHECK(TEST("subnormal", x) == (x == 1e-40f ? 1 : 0));
  }
}

__device__ void test_barriers() {
  unsigned count, all, any;
  const unsigned odd = threadIdx.x & 1;
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %3, 0;\n"
      "bar.red.popc.u32 %0, 0, p;\n"
      "barrier.cta.red.and.pred q, 0, p; selp.u32 %1, 1, 0, q;\n"
      "bar.red.or.pred q, 0, !p; selp.u32 %2, 1, 0, q; }"
      : "=r"(count), "=r"(all), "=r"(any)
      : "r"(odd)
      : "memory");
  CHECK(count == blockDim.x / 2 && all == 0 && any == 1);
}

__device__ void test_memory(float4* values, unsigned* counter) {
  unsigned long long first, last;
  float4 v;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
  asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0;" : "=l"(last));
  asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(values), "l"(first));
  CHECK(v.x == 1 && v.w == 4);
  asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(values + 1), "f"(v.y), "l"(last)
               : "memory");
  CHECK(values[1].x == 2);
  asm volatile("red.add.release.gpu.global.u32 [%0], 5;" ::"l"(counter) : "memory");
  asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(values));
  CHECK(*counter == 5);
  unsigned __int128 whole, other;
  asm volatile("ld.global.b128 %0, [%1];" : "=q"(whole) : "l"(values));
  asm volatile("mov.b128 {%0, %1}, %2;" : "=l"(first), "=l"(last) : "q"(whole));
  CHECK(first == 0x400000003F800000 && last == 0x4080000040400000);
  asm volatile("mov.b128 %0, {%1, %2};" : "=q"(other) : "l"(last), "l"(first));
  asm volatile("st.global.b128 [%0], %1;" ::"l"(values + 2), "q"(other) : "memory");
  CHECK(values[2].x == 3 && values[2].z == 1);
}

// Two matrices; the elements encode matrix, row and column.
__device__ void test_matrices() {
  __shared__ alignas(16) unsigned short stored[2][8][8], transposed[2][8][8];
  const unsigned lane = threadIdx.x % 32, row = lane / 4, column = lane % 4 * 2;
  const auto element = [](unsigned matrix, unsigned r, unsigned c) {
    return matrix << 8 | r << 4 | c;
  };
  const auto pair_at = [&](unsigned matrix) {
    return element(matrix, row, column) | element(matrix, row, column + 1) << 16;
  };
  const unsigned registers[] = {pair_at(0), pair_at(1)};
  const auto at = [&](void* place) { return unsigned(__cvta_generic_to_shared(place)); };
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(
                   at(stored[lane / 8 % 2][lane % 8])),
               "r"(registers[0]), "r"(registers[1])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(
                   at(transposed[lane / 8 % 2][lane % 8])),
               "r"(registers[0]), "r"(registers[1])
               : "memory");
  __syncwarp();
  for (unsigned i = lane; i < 128; i += 32) {
    const unsigned matrix = i / 64, r = i / 8 % 8, c = i % 8;
    CHECK(stored[matrix][r][c] == element(matrix, r, c));
    CHECK(transposed[matrix][r][c] == element(matrix, c, r));
  }
  unsigned turned;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(registers[1]));
  CHECK(turned == (element(1, column, row) | element(1, column + 1, row) << 16));
}

__global__ void kernel(float4* values, unsigned* counter) {
  test_barriers();
  if (threadIdx.x >= 32) return;
  test_matrices();
  if (threadIdx.x != 0) return;
  test_integers(0x00F12345, 0x01654321);
  test_kinds_of_numbers();
  test_memory(values, counter);
}

int main() {
  float4* values;
  CHECK_OK(cudaMallocManaged(&values, 4 * sizeof *values));
  values[0] = {1, 2, 3, 4};
  values[3] = {0, 0, 0, 0};
  kernel<<<1, 64>>>(values, reinterpret_cast<unsigned*>(values + 3));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaFree(values));
  printf("done\n");
}

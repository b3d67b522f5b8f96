// Spellings of inline PTX in programs: raw strings, operands without a comma or a space in front,
// labels with %=, and the space of an access before the order; registers of clusters, functions of
// 16 bits, and video instructions
// expect: done
#include <cuda_fp16.h>

#include "check.h"

__device__ void test_raw_strings() {
  unsigned lane, doubled;
  asm(R"({mov.u32 %0, %laneid;})" : "=r"(lane));
  asm volatile(R"ptx(
      {
        .reg .u32 one;  // of two lines
        mov.u32 one, %%laneid;
        add.u32 %0, one, one;
      })ptx"
               : "=r"(doubled));
  CHECK(lane == threadIdx.x && doubled == 2 * lane);
}

// The sum of the numbers below n. Each call has a different label.
__device__ unsigned sum_below(unsigned n) {
  unsigned sum = 0;
  asm volatile(
      "{ .reg .pred again; again_%=: sub.u32 %1, %1, 1; add.u32 %0, %0, %1;\n"
      "setp.ne.u32 again, %1, 0; @again bra again_%=; }"
      : "+r"(sum), "+r"(n));
  return sum;
}

__device__ void test_spellings(unsigned* numbers) {
  CHECK(sum_below(5) == 10 && sum_below(20) == 190);
  unsigned low, high;
  asm("mov.b64{%0,%1},%2;" : "=r"(low), "=r"(high) : "l"(5ull << 32 | 7));
  CHECK(low == 7 && high == 5);
  const unsigned forty = 40;  // the statement counts with a copy
  asm volatile("add.u32 %1, %1, 1; st.global.u32[%0], %1;" ::"l"(numbers) "r"(forty) : "memory");
  unsigned r;
  asm volatile("ld.global.acquire.gpu.u32 %0, [%1];" : "=r"(r) : "l"(numbers) : "memory");
  CHECK(r == 41 && forty == 40);
  asm volatile("st.global.release.sys.b32 [%0], %1;" ::"l"(numbers), "r"(42) : "memory");
  asm volatile("ld.cg.global.u32 %0, [%1];" : "=r"(r) : "l"(numbers) : "memory");
  CHECK(r == 42);
  asm volatile("st.cs.global.v2.u32 [%0], {%1, %2};" ::"l"(numbers), "r"(43), "r"(44) : "memory");
  asm volatile("ld.global.volatile.u32 %0, [%1 + 4];" : "=r"(r) : "l"(numbers) : "memory");
  CHECK(r == 44);
  asm volatile("atom.global.relaxed.gpu.add.u32 %0, [%1], 1;" : "=r"(r) : "l"(numbers) : "memory");
  CHECK(r == 43 && numbers[0] == 44);
}

#define VIDEO(name, a, b, c)                                                                  \
  [&] {                                                                                       \
    unsigned result;                                                                          \
    asm(name " %0, %1, %2, %3;" : "=r"(result) : "r"(unsigned(a)), "r"(unsigned(b)), "r"(c)); \
    return result;                                                                            \
  }()

__device__ void test_video_instructions() {
  CHECK(VIDEO("vadd4.u32.u32.u32", 0x01FF7F80, 0x0102017F, 0) == 0x020180FF);
  CHECK(VIDEO("vadd4.u32.u32.u32.sat", 0x01FF7F80, 0x0102017F, 0) == 0x02FF80FF);
  CHECK(VIDEO("vadd4.s32.s32.s32.sat", 0x01FF7F80, 0x010201FF, 0) == 0x02017F80);
  CHECK(VIDEO("vsub2.u32.u32.u32.sat", 0x00050003, 0x00030005, 0) == 0x00020000);
  CHECK(VIDEO("vmin4.s32.s32.s32", 0x01FF7F80, 0x0102017F, 0) == 0x01FF0180);
  CHECK(VIDEO("vmin4.u32.u32.u32.add", 0x01FF7F80, 0x0102017F, 9u) == 1 + 2 + 1 + 0x7F + 9);
  CHECK(VIDEO("vmax2.u32.u32.u32.add", 0x00010003, 0x00020001, 9u) == 2 + 3 + 9);
  CHECK(VIDEO("vabsdiff2.u32.u32.u32.add", 0x00010003, 0x00020001, 9u) == 1 + 2 + 9);
  CHECK(VIDEO("vshr.u32.u32.u32.clamp.add", 0x80000000, 28, 3u) == 11);
  CHECK(VIDEO("vshr.u32.u32.u32.clamp.add", 0x80000000, 32, 3u) == 3);
  CHECK(VIDEO("vshl.u32.u32.u32.clamp.add", 3, 4, 5u) == 53);
  CHECK(VIDEO("vadd.u32.u32.u32.add", 3, 4, 5u) == 12);
}

__device__ void test_functions() {
  unsigned short one;
  asm("ex2.approx.f16 %0, %1;" : "=h"(one) : "h"(__half_as_ushort(__float2half(3))));
  CHECK(__half2float(__ushort_as_half(one)) == 8);
  unsigned pair;
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(pair) : "r"(0xBC004000u));  // -1 and 2
  CHECK(pair == 0x38004400);
  asm("ex2.approx.ftz.bf16x2 %0, %1;" : "=r"(pair) : "r"(0xBF804000u));
  CHECK(pair == 0x3F004080);
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(pair) : "r"(0x00004900u));  // 0 and 10
  CHECK(pair == 0x00003C00);
  asm("tanh.approx.bf16 %0, %1;" : "=h"(one) : "h"((unsigned short)0xC120));  // -10
  CHECK(one == 0xBF80);
}

__global__ void kernel(unsigned* numbers) {
  test_raw_strings();
  __syncwarp();
  if (threadIdx.x == 0) {
    test_spellings(numbers);
    test_video_instructions();
    test_functions();
  }
}

__global__ void __cluster_dims__(2, 1, 1) cluster_kernel() {
  unsigned x, n, inside, size, rank, ranks;
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(x));
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(n));
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(inside));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(size));
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
  CHECK(x == blockIdx.x / 2 && n == 3 && inside == blockIdx.x % 2 && size == 2);
  CHECK(rank == inside && ranks == 2);
}

int main() {
  unsigned* numbers;
  CHECK_OK(cudaMallocManaged(&numbers, 16));
  kernel<<<1, 32>>>(numbers);
  CHECK_OK(cudaDeviceSynchronize());
  cluster_kernel<<<6, 32>>>();
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaFree(numbers));
  printf("done\n");
}

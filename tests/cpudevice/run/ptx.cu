// Inline PTX compared with plain C++: integers, bits, carries, comparisons, conversions, memory,
// atomics, votes and shuffles, predicates and branches.
// expect: done
#include <cmath>
#include <cstring>

#include "check.h"

#define BINARY(name, type, constraint, a, b)                                                      \
  [&] {                                                                                           \
    type result;                                                                                  \
    asm(name " %0, %1, %2;" : "=" constraint(result) : constraint(type(a)), constraint(type(b))); \
    return result;                                                                                \
  }()
#define UNARY(name, result_type, result_constraint, constraint, a)        \
  [&] {                                                                   \
    result_type result;                                                   \
    asm(name " %0, %1;" : "=" result_constraint(result) : constraint(a)); \
    return result;                                                        \
  }()

typedef unsigned long long wide;

__device__ void test_integers(unsigned x, unsigned y) {
  const int s = int(x), t = int(y);
  CHECK(BINARY("add.u32", unsigned, "r", x, y) == x + y);
  CHECK(BINARY("sub.s32", int, "r", s, t) == int(x - y));
  CHECK(BINARY("mul.lo.u32", unsigned, "r", x, y) == x * y);
  CHECK(BINARY("mul.hi.u32", unsigned, "r", x, y) == unsigned(wide(x) * y >> 32));
  CHECK(BINARY("mul.hi.s32", int, "r", s, t) == int((long long)s * t >> 32));
  CHECK(BINARY("min.s32", int, "r", s, t) == (s < t ? s : t));
  CHECK(BINARY("max.u32", unsigned, "r", x, y) == (x < y ? y : x));
  CHECK(BINARY("rem.u32", unsigned, "r", x, y | 1) == x % (y | 1));
  CHECK(BINARY("div.s32", int, "r", s, 7) == s / 7);
  CHECK(BINARY("and.b32", unsigned, "r", x, y) == (x & y));
  CHECK(BINARY("xor.b64", wide, "l", x, wide(y) << 20) == (x ^ wide(y) << 20));
  wide product;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(product) : "r"(x), "r"(y), "l"(5ull));
  CHECK(product == wide(x) * y + 5);
  long long signed_product;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(signed_product) : "r"(s), "r"(t));
  CHECK(signed_product == (long long)s * t);
  // A sum of 128 bits, word by word.
  unsigned sum[3];
  asm("add.cc.u32 %0, %3, %5;\n\t"
      "addc.cc.u32 %1, %4, %6;\n\t"
      "addc.u32 %2, 0, 0;"
      : "=r"(sum[0]), "=r"(sum[1]), "=r"(sum[2])
      : "r"(x), "r"(y), "r"(0xFFFFFFFFu), "r"(0xFFFFFFFFu));
  const unsigned __int128 all = ((unsigned __int128)y << 32 | x) + 0xFFFFFFFFFFFFFFFFull;
  CHECK(sum[0] == unsigned(all) && sum[1] == unsigned(all >> 32) && sum[2] == unsigned(all >> 64));
}

__device__ void test_bits(unsigned x, unsigned y) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(x), "r"(y), "r"(x * 3));
  CHECK(r == ((x & y) | (x & x * 3) | (y & x * 3)));
  asm("prmt.b32 %0, %1, %2, 0x5140;" : "=r"(r) : "r"(x), "r"(y));
  CHECK(r == ((x & 0xFF) | (y & 0xFF) << 8 | (x >> 8 & 0xFF) << 16 | (y >> 8 & 0xFF) << 24));
  asm("prmt.b32 %0, %1, %1, 0xBBBB;" : "=r"(r) : "r"(x));
  CHECK(r == (x >> 31 ? 0xFFFFFFFF : 0));
  CHECK(UNARY("popc.b32", unsigned, "r", "r", x) == unsigned(__builtin_popcount(x)));
  CHECK(UNARY("clz.b32", unsigned, "r", "r", x | 1) == unsigned(__builtin_clz(x | 1)));
  CHECK(UNARY("bfind.u32", unsigned, "r", "r", x | 1) == 31u - unsigned(__builtin_clz(x | 1)));
  CHECK(UNARY("bfind.u32", unsigned, "r", "r", 0) == 0xFFFFFFFF);
  asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(0x10FF0305), "r"(0x20FE0301), "r"(0));
  CHECK(r == 0x10010004);
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %0;" : "+r"(r) : "r"(0x10FF0305), "r"(0x20FE0301));
  CHECK(r == 0x10010004 + 16 + 1 + 0 + 4);
  CHECK(UNARY("bfind.s32", unsigned, "r", "r", -1) == 0xFFFFFFFF);
  CHECK(UNARY("brev.b32", unsigned, "r", "r", 0x80000001u) == 0x80000001u);
  CHECK(UNARY("brev.b32", unsigned, "r", "r", 0x12u) == 0x48000000u);
  for (unsigned n = 0; n <= 40; n += 5) {
    asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(n));
    CHECK(r == (n < 32 ? x << n : 0));
    int s;
    asm("shr.s32 %0, %1, %2;" : "=r"(s) : "r"(x), "r"(n));
    CHECK(s == int(x) >> (n < 32 ? n : 31));
    asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(n));
    CHECK(r == (n < 32 ? unsigned(((wide)y << 32 | x) << n >> 32) : x));
    asm("bfe.u32 %0, %1, %2, 7;" : "=r"(r) : "r"(x), "r"(n));
    CHECK(r == (n < 32 ? x >> n & 127 : 0));
    asm("bfe.s32 %0, %1, %2, 7;" : "=r"(s) : "r"(x), "r"(n));
    if (n <= 25) CHECK(s == int(x << (25 - n)) >> 25);
    asm("bfi.b32 %0, %1, %2, %3, 5;" : "=r"(r) : "r"(x), "r"(y), "r"(n));
    if (n <= 25) CHECK(r == ((y & ~(31u << n)) | (x & 31) << n));
  }
}

__device__ void test_choices(int x, float f) {
  int r;
  asm("{\n\t"
      ".reg .pred p, q;      // two of them\n\t"
      "setp.lt.s32 p, %1, 0;\n\t"
      "setp.gt.and.s32 q, %1, 10, !p;\n\t"
      "selp.s32 %0, -1, 1, p;\n\t"
      "@q mov.s32 %0, 2;\n\t"
      "}"
      : "=r"(r)
      : "r"(x));
  CHECK(r == (x < 0 ? -1 : x > 10 ? 2 : 1));
  unsigned ordered, unordered;
  asm("set.ne.u32.f32 %0, %2, %3; set.neu.u32.f32 %1, %2, %3;"
      : "=r"(ordered), "=r"(unordered)
      : "f"(f), "f"(1.0f));
  CHECK(ordered == (f == f && f != 1 ? ~0u : 0) && unordered == (f != 1 ? ~0u : 0));
  // A loop with a label: the number of digits of x.
  unsigned digits;
  asm volatile(
      "{ .reg .pred again; .reg .u32 rest;\n"
      "mov.u32 %0, 0; mov.u32 rest, %1;\n"
      "NEXT: add.u32 %0, %0, 1; div.u32 rest, rest, 10;\n"
      "setp.ne.u32 again, rest, 0;\n"
      "@again bra NEXT; }"
      : "=&r"(digits)
      : "r"(12345));
  CHECK(digits == 5);
}

__device__ void test_conversions(float f, unsigned x) {
  CHECK(UNARY("cvt.rni.s32.f32", int, "r", "f", 2.5f) == 2);
  CHECK(UNARY("cvt.rzi.s32.f32", int, "r", "f", -f) == int(-f));
  CHECK(UNARY("cvt.rn.f32.u32", float, "f", "r", x) == float(x));
  CHECK(UNARY("cvt.rz.f32.u32", float, "f", "r", 0x1FFFFFFu) == float(0x1FFFFFE));
  CHECK(UNARY("cvt.s32.s8", int, "r", "r", x) == int((signed char)x));
  CHECK(UNARY("cvt.u64.u32", wide, "l", "r", x) == x);
  CHECK(UNARY("cvt.rn.f32.f64", float, "f", "d", 1.0 / 3) == float(1.0 / 3));
  CHECK(UNARY("cvt.rn.f16.f32", unsigned short, "h", "f", 1.5f) == 0x3E00);
  CHECK(UNARY("cvt.f32.f16", float, "f", "h", (unsigned short)0x3E00) == 1.5f);
  unsigned r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(1.0f), "f"(-2.0f));
  CHECK(r == 0x3F80C000);
  asm("mov.b32 %0, {%1, %2};" : "=r"(r) : "h"((unsigned short)7), "h"((unsigned short)9));
  CHECK(r == (7u | 9u << 16));
  unsigned low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "d"(1.5));
  CHECK(low == 0 && high == 0x3FF80000);
  asm("mov.b32 %0, 0f3F800000;" : "=r"(r));
  CHECK(r == 0x3F800000);
  CHECK(UNARY("ex2.approx.ftz.f32", float, "f", "f", 3.0f) == 8);
  CHECK(UNARY("rcp.approx.f32", float, "f", "f", 4.0f) == 0.25f);
  CHECK(UNARY("sqrt.rn.f32", float, "f", "f", 2.0f) == sqrtf(2.0f));
  CHECK(fabsf(UNARY("tanh.approx.f32", float, "f", "f", 0.5f) - tanhf(0.5f)) < 1e-3f);
  CHECK(UNARY("rsqrt.approx.f32", float, "f", "f", 4.0f) == 0.5f);
  float fused;
  asm("fma.rn.f32 %0, %1, %1, %2;" : "=f"(fused) : "f"(f), "f"(0.5f));
  CHECK(fused == fmaf(f, f, 0.5f));
}

__device__ void test_memory(unsigned* counters, float4* values, unsigned char* bytes) {
  __shared__ unsigned shared[32];
  const unsigned lane = threadIdx.x;
  unsigned address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
      : "=r"(address)
      : "l"(shared + lane));
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(lane * 3) : "memory");
  __syncwarp();
  unsigned r;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(address ^ 4) : "memory");
  CHECK(r == (lane ^ 1) * 3);
  float a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "l"(values + lane));
  CHECK(a == 4 * lane && b == 4 * lane + 1 && c == 4 * lane + 2 && d == 4 * lane + 3);
  __syncwarp();
  asm volatile("st.global.cs.v2.f32 [%0+8], {%1, %2};" ::"l"(values + lane), "f"(a), "f"(b));
  CHECK(values[lane].x == a && values[lane].z == a && values[lane].w == b);
  asm volatile("ld.u8 %0, [%1];" : "=r"(r) : "l"(bytes + lane));
  CHECK(r == 200 + lane);
  int s;
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(s) : "l"(bytes + lane));
  CHECK(s == int(200 + lane) - 256);
  asm volatile("atom.global.add.u32 %0, [%1], 2;" : "=r"(r) : "l"(counters) : "memory");
  asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(counters + 1), "r"(lane)
               : "memory");
  asm volatile("atom.cas.b32 %0, [%1], 0, 5;" : "=r"(r) : "l"(counters + 2) : "memory");
  asm volatile("fence.acq_rel.gpu; membar.cta;" ::: "memory");
  if (lane == 0) {
    asm volatile("st.release.gpu.global.u32 [%0], 9;" ::"l"(counters + 3) : "memory");
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(r) : "l"(counters + 3) : "memory");
    CHECK(r == 9);
  }
}

// Loads and stores with an order, of a given type: alone and in pairs, and then in fours.
#define ORDERED(type, c_type, constraint, place, first)                                           \
  do {                                                                                            \
    c_type a = first, b = 0;                                                                      \
    asm volatile("st.release.sys." type " [%0], %1;" ::"l"(place), constraint(a));                \
    asm volatile("ld.acquire.sys." type " %0, [%1];" : "=" constraint(b) : "l"(place));           \
    CHECK(b == a);                                                                                \
    a = first + 1;                                                                                \
    asm volatile("st.mmio.relaxed.sys." type " [%0], %1;" ::"l"(place), constraint(a));           \
    asm volatile("ld.mmio.relaxed.sys.global." type " %0, [%1];"                                  \
                 : "=" constraint(b)                                                              \
                 : "l"(place));                                                                   \
    CHECK(b == a);                                                                                \
    b = first + 2;                                                                                \
    asm volatile("st.relaxed.cta.global.v2." type " [%0], {%1, %2};" ::"l"(place), constraint(a), \
                 constraint(b));                                                                  \
    asm volatile("ld.relaxed.cluster.v2." type " {%0, %1}, [%2];"                                 \
                 : "=" constraint(b), "=" constraint(a)                                           \
                 : "l"(place));                                                                   \
    CHECK(b == static_cast<c_type>(first + 1) && a == static_cast<c_type>(first + 2));            \
  } while (0)
#define FOUR_ORDERED(type, c_type, constraint, place, first)                                       \
  do {                                                                                             \
    ORDERED(type, c_type, constraint, place, first);                                               \
    c_type a = first, b = first + 1, c = first + 2, d = first + 3;                                 \
    asm volatile("st.release.gpu.v4." type " [%0], {%1, %2, %3, %4};" ::"l"(place), constraint(a), \
                 constraint(b), constraint(c), constraint(d));                                     \
    asm volatile("ld.acquire.gpu.global.v4." type " {%0, %1, %2, %3}, [%4];"                       \
                 : "=" constraint(d), "=" constraint(c), "=" constraint(b), "=" constraint(a)      \
                 : "l"(place));                                                                    \
    CHECK(d == static_cast<c_type>(first) && c == static_cast<c_type>(first + 1));                 \
    CHECK(b == static_cast<c_type>(first + 2) && a == static_cast<c_type>(first + 3));             \
  } while (0)

__device__ void test_ordered_memory(unsigned char* place) {
  FOUR_ORDERED("u8", unsigned short, "h", place, 7);
  FOUR_ORDERED("b8", unsigned, "r", place, 250);
  FOUR_ORDERED("s8", short, "h", place, -7);
  FOUR_ORDERED("u16", unsigned short, "h", place, 65000);
  FOUR_ORDERED("b16", unsigned, "r", place, 65000);
  FOUR_ORDERED("s16", int, "r", place, -300);
  FOUR_ORDERED("b32", unsigned, "r", place, 4000000000u);
  FOUR_ORDERED("f32", float, "f", place, 1.5f);
  ORDERED("s64", long long, "l", place, -5000000000);
  ORDERED("f64", double, "d", place, 0.25);
}

__device__ void test_warp() {
  const unsigned lane = threadIdx.x;
  unsigned r, all;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(r)
               : "r"(lane));
  CHECK(r == 31);
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(r) : "r"(lane));
  CHECK(r == (lane ^ 1));
  asm volatile(
      "{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 3, 0, 0xffffffff; selp.u32 %1, 1, 0, p; }"
      : "=r"(r), "=r"(all)
      : "r"(lane));
  CHECK(r == (lane < 3 ? lane : lane - 3) && all == (lane >= 3));
  // Segments of eight lanes.
  asm volatile("shfl.sync.down.b32 %0, %1, 2, 0x181f, 0xffffffff;" : "=r"(r) : "r"(lane));
  CHECK(r == (lane % 8 < 6 ? lane + 2 : lane));
  asm volatile("shfl.sync.idx.b32 %0, %1, 1, 0x181f, 0xffffffff;" : "=r"(r) : "r"(lane));
  CHECK(r == lane / 8 * 8 + 1);
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(lane));
  CHECK(r == 496);
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(lane % 2));
  CHECK(r == (lane % 2 ? 0xAAAAAAAA : 0x55555555));
  asm volatile("bar.sync 0;");
}

__global__ void kernel(unsigned* counters, float4* values, unsigned char* bytes) {
  const unsigned numbers[] = {0, 1, 0xFFFFFFFF, 0x80000000, 0x12345678, 0xCAFEBABE};
  for (const unsigned x : numbers) {
    for (const unsigned y : numbers) {
      test_integers(x, y);
      test_bits(x, y);
    }
  }
  for (const int x : {-3, 5, 20})
    test_choices(x, x == 5 ? 1.0f : x < 0 ? NAN : 2.0f);
  test_conversions(3.75f, 0xFFFFFF85u);
  test_memory(counters, values, bytes);
  if (threadIdx.x == 0) test_ordered_memory(bytes + 32);
  test_warp();
}

int main() {
  unsigned* counters;
  float4* values;
  unsigned char* bytes;
  CHECK_OK(cudaMallocManaged(&counters, 16));
  CHECK_OK(cudaMallocManaged(&values, 32 * sizeof *values));
  CHECK_OK(cudaMallocManaged(&bytes, 48));
  for (int i = 0; i < 128; ++i)
    reinterpret_cast<float*>(values)[i] = static_cast<float>(i);
  for (int i = 0; i < 32; ++i)
    bytes[i] = static_cast<unsigned char>(200 + i);
  memset(counters, 0, 16);
  kernel<<<1, 32>>>(counters, values, bytes);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(counters[0] == 64 && counters[1] == 31 && counters[2] == 5 && counters[3] == 9);
  printf("done\n");
}

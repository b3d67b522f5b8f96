// Matrix products in PTX: mma.sync of every type and shape, ldmatrix with and without .trans,
// asynchronous copies. The PTX manual states the places of the elements.
// expect: done
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "check.h"

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Small whole numbers: every product and sum is exact.
__device__ int a_at(int row, int k) {
  return (row * 3 + k * 5 + 1) % 7;
}
__device__ int b_at(int k, int column) {
  return (column * 2 + k * 3 + 2) % 5;
}
__device__ int c_at(int row, int column) {
  return (row + column * 4) % 9;
}
__device__ int product(int row, int column, int depth) {
  int sum = c_at(row, column);
  for (int k = 0; k < depth; ++k)
    sum += a_at(row, k) * b_at(k, column);
  return sum;
}

template <typename T>
__device__ unsigned pair(int low, int high) {
  const T both[2] = {T(static_cast<float>(low)), T(static_cast<float>(high))};
  return *reinterpret_cast<const unsigned*>(both);
}

template <typename T>
__device__ void load_16_bits(unsigned (&a)[4], unsigned (&b)[2]) {
  const int group = threadIdx.x / 4, k = threadIdx.x % 4 * 2;
  for (int i = 0; i < 4; ++i) {
    const int row = group + i % 2 * 8, column = k + i / 2 * 8;
    a[i] = pair<T>(a_at(row, column), a_at(row, column + 1));
  }
  for (int i = 0; i < 2; ++i)
    b[i] = pair<T>(b_at(k + i * 8, group), b_at(k + i * 8 + 1, group));
}

__device__ void check_sums(const float (&d)[4], int depth) {
  const int group = threadIdx.x / 4, column = threadIdx.x % 4 * 2;
  for (int i = 0; i < 4; ++i)
    CHECK(d[i] == product(group + i / 2 * 8, column + i % 2, depth));
}

__global__ void products_kernel() {
  const int group = threadIdx.x / 4, in_group = threadIdx.x % 4;
  unsigned a[4], b[2];
  float c[4], d[4];
  for (int i = 0; i < 4; ++i)
    c[i] = c_at(group + i / 2 * 8, in_group * 2 + i % 2);

  load_16_bits<half>(a, b);
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %11, %12, %13};\n"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
        "f"(c[2]), "f"(c[3]));
  check_sums(d, 16);
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%7,%8,%9,%10};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  check_sums(d, 8);

  unsigned sums[2] = {pair<half>(c[0], c[1]), pair<half>(c[2], c[3])};
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
      : "+r"(sums[0]), "+r"(sums[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i)
    d[i] = reinterpret_cast<half*>(sums)[i];
  check_sums(d, 16);

  load_16_bits<__nv_bfloat16>(a, b);
  for (int i = 0; i < 4; ++i)
    d[i] = c[i];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  check_sums(d, 16);

  for (int i = 0; i < 4; ++i) {
    const float x = a_at(group + i % 2 * 8, in_group + i / 2 * 4);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(a[i]) : "f"(x));
  }
  for (int i = 0; i < 2; ++i) {
    const float x = b_at(in_group + i * 4, group);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(b[i]) : "f"(x));
  }
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%10,%11,%12,%13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
        "f"(c[2]), "f"(c[3]));
  check_sums(d, 8);

  for (int i = 0; i < 4; ++i) {
    a[i] = 0;
    for (int e = 0; e < 4; ++e)
      a[i] |= a_at(group + i % 2 * 8, in_group * 4 + i / 2 * 16 + e) << 8 * e;
  }
  for (int i = 0; i < 2; ++i) {
    b[i] = 0;
    for (int e = 0; e < 4; ++e)
      b[i] |= b_at(in_group * 4 + i * 16 + e, group) << 8 * e;
  }
  int integers[4] = {int(c[0]), int(c[1]), int(c[2]), int(c[3])};
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(integers[0]), "+r"(integers[1]), "+r"(integers[2]), "+r"(integers[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i)
    d[i] = integers[i];
  check_sums(d, 32);
  // ptxas takes .satfinite at the end as well.
  int large[4] = {2147483647, 2147483647, 2147483647, 2147483647};
  asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32.satfinite {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+r"(large[0]), "+r"(large[1]), "+r"(large[2]), "+r"(large[3])
      : "r"(0x01010101), "r"(0x01010101), "r"(0x01010101));
  for (int sum : large)
    CHECK(sum == 2147483647);

  double sum[2] = {double(c_at(group, in_group * 2)), double(c_at(group, in_group * 2 + 1))};
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
      : "+d"(sum[0]), "+d"(sum[1])
      : "d"(double(a_at(group, in_group))), "d"(double(b_at(in_group, group))));
  CHECK(sum[0] == product(group, in_group * 2, 4) && sum[1] == product(group, in_group * 2 + 1, 4));
}

__global__ void ldmatrix_kernel() {
  __shared__ __align__(16) unsigned short tile[32][8];
  const int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    tile[lane][i] = static_cast<unsigned short>(lane * 8 + i);
  __syncwarp();
  unsigned r[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(tile[lane])));
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned first = tile[8 * i + lane / 4][lane % 4 * 2];
    CHECK(r[i] == (first | (first + 1) << 16));
  }
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(shared_address(tile[lane % 16])));
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned low = tile[8 * i + lane % 4 * 2][lane / 4];
    CHECK(r[i] == (low | (low + 8) << 16));
  }
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1+16];"
               : "=r"(r[0])
               : "r"(shared_address(tile[lane % 8])));
  CHECK((r[0] & 0xFFFF) == tile[lane / 4 + 1][lane % 4 * 2]);
  // The number before the shape, as in many programs, and an address without a space.
  unsigned s[2];
  asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(shared_address(tile[lane % 16])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.b16 {%0, %1}, [%2];"
               : "=r"(s[0]), "=r"(s[1])
               : "l"(tile[lane % 16]));
  CHECK(r[0] == s[0] && r[1] == s[1] && (r[1] & 0xFFFF) == tile[8 + lane / 4][lane % 4 * 2]);
  asm volatile("ldmatrix.sync.aligned.x1.trans.m8n8.shared.b16 {%0}, [%1];"
               : "=r"(r[0])
               : "r"(shared_address(tile[lane % 8])));
  CHECK((r[0] & 0xFFFF) == tile[lane % 4 * 2][lane / 4]);
}

__global__ void copies_kernel(const float4* in) {
  __shared__ float4 stage[3][32];
  __shared__ float singles[32];
  const int lane = threadIdx.x;
  stage[0][lane] = stage[1][lane] = make_float4(-1, -1, -1, -1);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&stage[0][lane])),
               "l"(in + lane));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(
                   shared_address(&stage[1][lane])),
               "l"(in + 32 + lane), "n"(16), "r"(lane < 16 ? 16 : 4));
  asm volatile("cp.async.commit_group;");
  // Nothing has arrived yet; a GPU may be faster.
  CHECK(stage[0][lane].x == -1);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(1));
  CHECK(stage[0][lane].w == 4 * lane + 3 && stage[1][lane].x == -1);
  asm volatile("cp.async.wait_all;" ::: "memory");
  CHECK(stage[1][lane].x == 128 + 4 * lane);
  CHECK(stage[1][lane].y == (lane < 16 ? 129 + 4 * lane : 0));
  __pipeline_memcpy_async(&stage[2][lane], in + lane, 16);
  __pipeline_commit();
  __pipeline_memcpy_async(&singles[lane], &in[lane].y, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  CHECK(stage[2][lane].z == 4 * lane + 2 && singles[lane] == 4 * lane + 1);
}

int main() {
  float4* in;
  CHECK_OK(cudaMallocManaged(&in, 64 * sizeof *in));
  for (int i = 0; i < 256; ++i)
    reinterpret_cast<float*>(in)[i] = static_cast<float>(i);
  products_kernel<<<1, 32>>>();
  ldmatrix_kernel<<<1, 32>>>();
  copies_kernel<<<2, 32>>>(in);
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}

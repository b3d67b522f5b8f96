// Rung 1: tiles in shared memory, on ordinary cores.
//
//   make check-matmul WITH=ladder/tensor/01_shared_tile.cu
//
// Idea: rung 3 of sgemm, with elements that become floats on the way to shared memory. Expect:
// half of the bytes from global memory, and otherwise the time of sgemm: for an ordinary core a
// product of bf16 numbers is a product of floats.
#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;

// A block of kTile x kTile threads per tile of C: thread (x, y) computes element (y, x) of it.
// Tiles are numbered along the rows of C.
__global__ void tensor_kernel(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b,
                              float* c) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int row = blockIdx.x / tiles_across * kTile + threadIdx.y;
  const int col = blockIdx.x % tiles_across * kTile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const int a_col = first + threadIdx.x;
    const int b_row = first + threadIdx.y;
    const bool has_a = row < m && a_col < k;
    const bool has_b = b_row < k && col < n;
    // What lies outside of A and B is 0.
    a_tile[threadIdx.y][threadIdx.x] =
        has_a ? __bfloat162float(a[static_cast<size_t>(row) * k + a_col]) : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] =
        has_b ? __bfloat162float(b[static_cast<size_t>(b_row) * n + col]) : 0.0f;
    __syncthreads();  // both tiles are complete
#pragma unroll
    for (int l = 0; l < kTile; ++l)
      sum += a_tile[threadIdx.y][l] * b_tile[l][threadIdx.x];
    __syncthreads();  // no thread reads the tiles any more
  }
  if (row < m && col < n) c[static_cast<size_t>(row) * n + col] = sum;
}

}  // namespace

void tensor(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  if (m == 0 || n == 0) return;
  const int blocks = ceil_div(m, kTile) * ceil_div(n, kTile);
  tensor_kernel<<<blocks, dim3(kTile, kTile)>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

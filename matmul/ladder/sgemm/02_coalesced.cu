// Rung 2: neighbouring threads beside each other in a row of C.
//
//   make check-matmul WITH=ladder/sgemm/02_coalesced.cu
//
// Idea: x and y change places. A warp computes 32 neighbours of a row of C, so at each step the
// warp reads 32 neighbours of a row of B, and all threads the same element of A. Expect: 4
// sectors for B and 1 for A in place of 33. Still two loads for each multiplication.
#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;

// A block of kTile x kTile threads per tile of C: thread (x, y) computes element (y, x) of it.
// Tiles are numbered along the rows of C.
__global__ void sgemm_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  const int tiles_across = (n + kTile - 1) / kTile;
  const int row = blockIdx.x / tiles_across * kTile + threadIdx.y;
  const int col = blockIdx.x % tiles_across * kTile + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) {
    sum += a[static_cast<size_t>(row) * k + l] * b[static_cast<size_t>(l) * n + col];
  }
  c[static_cast<size_t>(row) * n + col] = sum;
}

}  // namespace

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  sgemm_kernel<<<ceil_div(m, kTile) * ceil_div(n, kTile), block>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

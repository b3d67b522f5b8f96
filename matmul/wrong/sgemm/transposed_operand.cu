// verdict: cpu=wrong,bad_access,cuda_error gpu=wrong,cuda_error
// from: ladder/sgemm/02_coalesced.cu
// Reads B as if B were stored column by column.
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
    sum += a[static_cast<size_t>(row) * k + l] * b[static_cast<size_t>(col) * k + l];
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

// verdict: cpu=race,wrong gpu=wrong,ok
// from: ladder/sgemm/03_shared_tile.cu
// Reads the next tiles while other threads still use the tiles before.
#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;

// A block of kTile x kTile threads per tile of C: thread (x, y) computes element (y, x) of it.
// Tiles are numbered along the rows of C.
__global__ void sgemm_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int row = blockIdx.x / tiles_across * kTile + threadIdx.y;
  const int col = blockIdx.x % tiles_across * kTile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    // Outside of the matrices there are zeros, which add nothing.
    const int a_col = first + threadIdx.x;
    const int b_row = first + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] =
        row < m && a_col < k ? a[static_cast<size_t>(row) * k + a_col] : 0;
    b_tile[threadIdx.y][threadIdx.x] =
        b_row < k && col < n ? b[static_cast<size_t>(b_row) * n + col] : 0;
    // Both tiles are complete before any thread uses them.
    __syncthreads();
    for (int l = 0; l < kTile; ++l) {
      sum += a_tile[threadIdx.y][l] * b_tile[l][threadIdx.x];
    }
  }
  if (row < m && col < n) c[static_cast<size_t>(row) * n + col] = sum;
}

}  // namespace

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  sgemm_kernel<<<ceil_div(m, kTile) * ceil_div(n, kTile), block>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

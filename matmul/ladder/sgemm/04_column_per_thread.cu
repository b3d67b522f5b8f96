// Rung 4: eight elements of a column per thread.
//
//   make check-matmul WITH=ladder/sgemm/04_column_per_thread.cu
//
// Idea: a thread computes eight elements of a column. The thread reads an element of a row of B's
// tile into a register and uses the register eight times. Expect: nine loads from shared memory for
// eight multiplications, in place of sixteen, and half of the bytes from global memory, as the tile
// of C is twice as high and as wide.
#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 64;  // rows and columns of C for a block
constexpr int kDepth = 8;  // columns of A and rows of B that are in shared memory at a time
constexpr int kRows = 8;   // of C for a thread
constexpr int kBlockSize = kTile * kTile / kRows;

// A block of kBlockSize threads per tile of C. Thread t computes column t % kTile of it, kRows rows
// from row t / kTile * kRows on. Tiles are numbered along the rows of C.
__global__ void sgemm_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kDepth];
  __shared__ float b_tile[kDepth][kTile];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int tile_row = blockIdx.x / tiles_across * kTile;
  const int tile_col = blockIdx.x % tiles_across * kTile;
  const int row = threadIdx.x / kTile * kRows;
  const int col = threadIdx.x % kTile;
  // The thread's element of each tile.
  const int a_row = threadIdx.x / kDepth;
  const int a_col = threadIdx.x % kDepth;
  const int b_row = threadIdx.x / kTile;
  const int b_col = threadIdx.x % kTile;

  float sums[kRows] = {};
  for (int first = 0; first < k; first += kDepth) {
    // Outside of the matrices there are zeros, which add nothing.
    const bool a_inside = tile_row + a_row < m && first + a_col < k;
    const bool b_inside = first + b_row < k && tile_col + b_col < n;
    a_tile[a_row][a_col] =
        a_inside ? a[static_cast<size_t>(tile_row + a_row) * k + first + a_col] : 0;
    b_tile[b_row][b_col] =
        b_inside ? b[static_cast<size_t>(first + b_row) * n + tile_col + b_col] : 0;
    // Both tiles are complete before any thread uses them.
    __syncthreads();
    for (int l = 0; l < kDepth; ++l) {
      const float b_part = b_tile[l][col];
      for (int i = 0; i < kRows; ++i)
        sums[i] += a_tile[row + i][l] * b_part;
    }
    // All threads have used the tiles before the next tiles take their place.
    __syncthreads();
  }
  for (int i = 0; i < kRows; ++i) {
    if (tile_row + row + i < m && tile_col + col < n)
      c[static_cast<size_t>(tile_row + row + i) * n + tile_col + col] = sums[i];
  }
}

}  // namespace

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  sgemm_kernel<<<ceil_div(m, kTile) * ceil_div(n, kTile), kBlockSize>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

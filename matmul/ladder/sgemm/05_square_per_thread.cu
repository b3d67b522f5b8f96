// Rung 5: a square of 8 x 8 elements per thread.
//
//   make check-matmul WITH=ladder/sgemm/05_square_per_thread.cu
//
// Idea: eight elements of A and eight of B in registers make 64 products. A tile of C is 128 x 128.
// Expect: sixteen loads from shared memory for 64 multiplications: a quarter for each, after more
// than one. Half of the bytes come from global memory again.
#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 128;  // rows and columns of C for a block
constexpr int kDepth = 8;   // columns of A and rows of B that are in shared memory at a time
constexpr int kSide = 8;    // rows and columns of C for a thread
constexpr int kAcross = kTile / kSide;
constexpr int kBlockSize = kAcross * kAcross;

// A block of kBlockSize threads per tile of C. Thread t computes kSide x kSide elements in
// squares along the tile's rows, kAcross squares beside each other. Tiles are numbered along the
// rows of C.
__global__ void sgemm_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kDepth];
  __shared__ float b_tile[kDepth][kTile];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int tile_row = blockIdx.x / tiles_across * kTile;
  const int tile_col = blockIdx.x % tiles_across * kTile;
  const int row = threadIdx.x / kAcross * kSide;
  const int col = threadIdx.x % kAcross * kSide;

  float sums[kSide][kSide] = {};
  for (int first = 0; first < k; first += kDepth) {
    // Outside of the matrices there are zeros, which add nothing.
    for (int i = threadIdx.x; i < kTile * kDepth; i += kBlockSize) {
      const int a_row = tile_row + i / kDepth;
      const int a_col = first + i % kDepth;
      a_tile[i / kDepth][i % kDepth] =
          a_row < m && a_col < k ? a[static_cast<size_t>(a_row) * k + a_col] : 0;
    }
    for (int i = threadIdx.x; i < kDepth * kTile; i += kBlockSize) {
      const int b_row = first + i / kTile;
      const int b_col = tile_col + i % kTile;
      b_tile[i / kTile][i % kTile] =
          b_row < k && b_col < n ? b[static_cast<size_t>(b_row) * n + b_col] : 0;
    }
    // Both tiles are complete before any thread uses them.
    __syncthreads();
    for (int l = 0; l < kDepth; ++l) {
      float a_part[kSide];
      float b_part[kSide];
      for (int i = 0; i < kSide; ++i)
        a_part[i] = a_tile[row + i][l];
      for (int j = 0; j < kSide; ++j)
        b_part[j] = b_tile[l][col + j];
      for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide; j += 4) {
          sums[i][j] += a_part[i] * b_part[j];
          sums[i][j + 1] += a_part[i] * b_part[j + 1];
          sums[i][j + 2] += a_part[i] * b_part[j + 2];
          sums[i][j + 3] += a_part[i] * b_part[j + 3];
        }
      }
    }
    // All threads have used the tiles before the next tiles take their place.
    __syncthreads();
  }
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      const int c_row = tile_row + row + i;
      const int c_col = tile_col + col + j;
      if (c_row < m && c_col < n) c[static_cast<size_t>(c_row) * n + c_col] = sums[i][j];
    }
  }
}

}  // namespace

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  sgemm_kernel<<<ceil_div(m, kTile) * ceil_div(n, kTile), kBlockSize>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

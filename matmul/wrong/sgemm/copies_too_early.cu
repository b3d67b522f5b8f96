// verdict: cpu=race,wrong gpu=wrong,ok
// from: ladder/sgemm/08_async_copies.cu
// Begins the next copies before the barrier, while other threads still use what lies there.
#include <cuda_pipeline.h>

#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 128;  // rows and columns of C for a block
constexpr int kDepth = 8;   // columns of A and rows of B that are in shared memory at a time
constexpr int kSide = 8;    // rows and columns of C for a thread
constexpr int kAcross = kTile / kSide;
constexpr int kBlockSize = kAcross * kAcross;
constexpr int kGroup = kTile / 2;
constexpr int kStages = 2;
// Rows of the transposed tile of A are four words longer: the copies of a warp, of kColumns columns
// of four rows of A, go to 32 banks.
constexpr int kStride = kTile + 4;
constexpr int kColumns = 8;
constexpr int kRowsAtATime = kBlockSize / kColumns;

// Begins to copy kDepth columns of A, from column `first` on, transposed; behind the last column
// come zeros. A row beyond A is the last row, whose products are never stored.
__device__ void copy_a(const float* a, int m, int k, int tile_row, int first, float* tile) {
  const int x = threadIdx.x % kColumns;
  const int y = threadIdx.x / kColumns;
#pragma unroll
  for (int i = 0; i < kTile; i += kRowsAtATime) {
    const float* from = a + static_cast<size_t>(min(tile_row + y + i, m - 1)) * k + first + x;
#pragma unroll
    for (int l = 0; l < kDepth; l += kColumns) {
      const int zeros = first + x + l < k ? 0 : 4;
      __pipeline_memcpy_async(&tile[(x + l) * kStride + y + i], from + l, 4, zeros);
    }
  }
}

// Begins to copy kDepth rows of B, from row `first` on, kWidth elements with each copy; behind the
// last row come zeros. A column beyond B is the last column.
template <int kWidth>
__device__ void copy_b(const float* b, int k, int n, int first, int tile_col, float* tile) {
  constexpr int kCopies = kTile / kWidth;
  constexpr int kRows = kBlockSize / kCopies;
  const int x = threadIdx.x % kCopies * kWidth;
  const int y = threadIdx.x / kCopies;
  const float* from = b + static_cast<size_t>(first + y) * n + min(tile_col + x, n - kWidth);
#pragma unroll
  for (int l = 0; l < kDepth; l += kRows) {
    const int zeros = first + y + l < k ? 0 : 4 * kWidth;
    __pipeline_memcpy_async(&tile[(y + l) * kTile + x], from + static_cast<size_t>(l) * n,
                            4 * kWidth, zeros);
  }
}

template <int kWidth>
__device__ void store_four(float4 four, float* c, int m, int n, int row, int col) {
  if (row >= m) return;
  float* to = c + static_cast<size_t>(row) * n + col;
  if (kWidth == 4) {
    if (col < n) *reinterpret_cast<float4*>(to) = four;
  } else {
    if (col < n) to[0] = four.x;
    if (col + 1 < n) to[1] = four.y;
    if (col + 2 < n) to[2] = four.z;
    if (col + 3 < n) to[3] = four.w;
  }
}

// A block of kBlockSize threads per tile of C. Thread t computes kSide rows of it, in two groups of
// four columns, kGroup apart; groups of neighbouring threads are neighbours. Tiles are numbered
// along the rows of C. kWidth is 4 where rows of B and of C begin on 16-byte boundaries, else 1.
template <int kWidth>
__global__ void sgemm_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float4 a_tiles[kStages][kDepth * kStride / 4];  // transposed
  __shared__ float4 b_tiles[kStages][kDepth * kTile / 4];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int tile_row = blockIdx.x / tiles_across * kTile;
  const int tile_col = blockIdx.x % tiles_across * kTile;
  const int row = threadIdx.x / kAcross * kSide;
  const int col = threadIdx.x % kAcross * 4;  // of the first group

  const int steps = (k + kDepth - 1) / kDepth;
  const auto copy = [&](int step) {
    const int stage = step % kStages;
    if (step < steps) {
      copy_a(a, m, k, tile_row, step * kDepth, reinterpret_cast<float*>(a_tiles[stage]));
      copy_b<kWidth>(b, k, n, step * kDepth, tile_col, reinterpret_cast<float*>(b_tiles[stage]));
    }
    __pipeline_commit();
  };

  float4 sums[kSide][kSide / 4] = {};
  copy(0);
  for (int step = 0; step < steps; ++step) {
    // The thread's copies have arrived; after the barrier, all copies. All threads have also used
    // the tiles before, whose place the next tiles take.
    copy(step + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4* a_tile = a_tiles[step % kStages];
    const float4* b_tile = b_tiles[step % kStages];
#pragma unroll
    for (int l = 0; l < kDepth; ++l) {
      float a_part[kSide];
      float4 b_part[kSide / 4];
      for (int i = 0; i < kSide / 4; ++i) {
        const float4 four = a_tile[(l * kStride + row) / 4 + i];
        a_part[4 * i] = four.x;
        a_part[4 * i + 1] = four.y;
        a_part[4 * i + 2] = four.z;
        a_part[4 * i + 3] = four.w;
        b_part[i] = b_tile[(l * kTile + col + i * kGroup) / 4];
      }
      for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide / 4; ++j) {
          sums[i][j].x += a_part[i] * b_part[j].x;
          sums[i][j].y += a_part[i] * b_part[j].y;
          sums[i][j].z += a_part[i] * b_part[j].z;
          sums[i][j].w += a_part[i] * b_part[j].w;
        }
      }
    }
  }
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide / 4; ++j)
      store_four<kWidth>(sums[i][j], c, m, n, tile_row + row + i, tile_col + col + j * kGroup);
  }
}

}  // namespace

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  const int blocks = ceil_div(m, kTile) * ceil_div(n, kTile);
  if (n % 4 == 0) {
    sgemm_kernel<4><<<blocks, kBlockSize>>>(m, n, k, a, b, c);
  } else {
    sgemm_kernel<1><<<blocks, kBlockSize>>>(m, n, k, a, b, c);
  }
  CUDA_CHECK(cudaGetLastError());
}

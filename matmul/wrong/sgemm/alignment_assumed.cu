// verdict: cpu=misaligned,wrong,bad_access gpu=cuda_error,wrong
// from: ladder/sgemm/07_no_bank_conflicts.cu
// Reads float4 whatever the length of a row.
#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 128;  // rows and columns of C for a block
constexpr int kDepth = 8;   // columns of A and rows of B that are in shared memory at a time
constexpr int kSide = 8;    // rows and columns of C for a thread
constexpr int kAcross = kTile / kSide;
constexpr int kBlockSize = kAcross * kAcross;
constexpr int kGroup = kTile / 2;
// Vectors in a row of a tile. A block reads each tile with one float4 per thread.
constexpr int kAVectors = kDepth / 4;
constexpr int kBVectors = kTile / 4;

// Four elements of a row of a matrix of rows x cols, from element (row, col) on; zeros outside of
// it, which add nothing. With kVectors all rows begin on 16-byte boundaries.
template <bool kVectors>
__device__ float4 load_four(const float* matrix, int rows, int cols, int row, int col) {
  float4 four = make_float4(0, 0, 0, 0);
  if (row >= rows) return four;
  const float* from = matrix + static_cast<size_t>(row) * cols + col;
  if (kVectors) {
    if (col < cols) four = *reinterpret_cast<const float4*>(from);
  } else {
    if (col < cols) four.x = from[0];
    if (col + 1 < cols) four.y = from[1];
    if (col + 2 < cols) four.z = from[2];
    if (col + 3 < cols) four.w = from[3];
  }
  return four;
}

template <bool kVectors>
__device__ void store_four(float4 four, float* matrix, int rows, int cols, int row, int col) {
  if (row >= rows) return;
  float* to = matrix + static_cast<size_t>(row) * cols + col;
  if (kVectors) {
    if (col < cols) *reinterpret_cast<float4*>(to) = four;
  } else {
    if (col < cols) to[0] = four.x;
    if (col + 1 < cols) to[1] = four.y;
    if (col + 2 < cols) to[2] = four.z;
    if (col + 3 < cols) to[3] = four.w;
  }
}

// A block of kBlockSize threads per tile of C. Thread t computes kSide rows of it, in two groups of
// four columns, kGroup apart; groups of neighbouring threads are neighbours. Tiles are numbered
// along the rows of C.
template <bool kVectors>
__global__ void sgemm_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float4 a_tile[kDepth][kTile / 4 + 1];  // transposed; the last vector is not used
  __shared__ float4 b_tile[kDepth][kTile / 4];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int tile_row = blockIdx.x / tiles_across * kTile;
  const int tile_col = blockIdx.x % tiles_across * kTile;
  const int row = threadIdx.x / kAcross * kSide;
  const int col = threadIdx.x % kAcross * 4;  // of the first group
  // The thread's vector of each tile.
  const int a_row = threadIdx.x / kAVectors;
  const int a_col = threadIdx.x % kAVectors * 4;
  const int b_row = threadIdx.x / kBVectors;
  const int b_col = threadIdx.x % kBVectors * 4;

  float4 sums[kSide][kSide / 4] = {};
  for (int first = 0; first < k; first += kDepth) {
    const float4 four = load_four<kVectors>(a, m, k, tile_row + a_row, first + a_col);
    reinterpret_cast<float*>(a_tile[a_col])[a_row] = four.x;
    reinterpret_cast<float*>(a_tile[a_col + 1])[a_row] = four.y;
    reinterpret_cast<float*>(a_tile[a_col + 2])[a_row] = four.z;
    reinterpret_cast<float*>(a_tile[a_col + 3])[a_row] = four.w;
    b_tile[b_row][b_col / 4] = load_four<kVectors>(b, k, n, first + b_row, tile_col + b_col);
    // Both tiles are complete before any thread uses them.
    __syncthreads();
    for (int l = 0; l < kDepth; ++l) {
      float a_part[kSide];
      float4 b_part[kSide / 4];
      for (int i = 0; i < kSide / 4; ++i) {
        const float4 four = a_tile[l][row / 4 + i];
        a_part[4 * i] = four.x;
        a_part[4 * i + 1] = four.y;
        a_part[4 * i + 2] = four.z;
        a_part[4 * i + 3] = four.w;
        b_part[i] = b_tile[l][col / 4 + i * kGroup / 4];
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
    // All threads have used the tiles before the next tiles take their place.
    __syncthreads();
  }
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide / 4; ++j)
      store_four<kVectors>(sums[i][j], c, m, n, tile_row + row + i, tile_col + col + j * kGroup);
  }
}

}  // namespace

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  const int blocks = ceil_div(m, kTile) * ceil_div(n, kTile);
  if (n > 3 && k > 3) {
    sgemm_kernel<true><<<blocks, kBlockSize>>>(m, n, k, a, b, c);
  } else {
    sgemm_kernel<false><<<blocks, kBlockSize>>>(m, n, k, a, b, c);
  }
  CUDA_CHECK(cudaGetLastError());
}

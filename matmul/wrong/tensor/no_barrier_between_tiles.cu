// verdict: cpu=race,wrong gpu=wrong,ok
// from: ladder/tensor/02_wmma.cu
// needs: compute capability 8.0
// Loads the next tiles while other warps still multiply the tiles before.
#include <mma.h>

#include "matmul.h"

#include "cuda_check.h"

namespace {

using namespace nvcuda;

constexpr int kTile = 32;
constexpr int kSide = 16;  // of a fragment
constexpr int kWarpsAcross = kTile / kSide;
constexpr int kBlockSize = 32 * kWarpsAcross * kWarpsAcross;

using FragmentA =
    wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, __nv_bfloat16, wmma::row_major>;
using FragmentB =
    wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, __nv_bfloat16, wmma::row_major>;
using FragmentC = wmma::fragment<wmma::accumulator, kSide, kSide, kSide, float>;

// The block copies a tile of a matrix, from element (row, col) on. What lies outside of it is 0.
__device__ void load_tile(const __nv_bfloat16* matrix, int rows, int cols, int row, int col,
                          __nv_bfloat16* tile) {
  for (int i = threadIdx.x; i < kTile * kTile; i += kBlockSize) {
    const int r = row + i / kTile;
    const int c = col + i % kTile;
    const bool inside = r < rows && c < cols;
    tile[i] = inside ? matrix[static_cast<size_t>(r) * cols + c] : __float2bfloat16(0.0f);
  }
}

// A block of kBlockSize threads per tile of C: each of its warps computes kSide x kSide elements.
// Tiles are numbered along the rows of C.
__global__ void tensor_kernel(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b,
                              float* c) {
  // WMMA reads and writes whole fragments at multiples of 32 bytes.
  __shared__ __align__(32) __nv_bfloat16 a_tile[kTile * kTile];
  __shared__ __align__(32) __nv_bfloat16 b_tile[kTile * kTile];
  __shared__ __align__(32) float c_tile[kTile * kTile];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int tile_row = blockIdx.x / tiles_across * kTile;
  const int tile_col = blockIdx.x % tiles_across * kTile;
  const int warp = threadIdx.x / 32;
  const int row = warp / kWarpsAcross * kSide;
  const int col = warp % kWarpsAcross * kSide;

  FragmentC sums;
  wmma::fill_fragment(sums, 0.0f);
  for (int first = 0; first < k; first += kTile) {
    load_tile(a, m, k, tile_row, first, a_tile);
    load_tile(b, k, n, first, tile_col, b_tile);
    __syncthreads();  // both tiles are complete
#pragma unroll
    for (int l = 0; l < kTile; l += kSide) {
      FragmentA a_part;
      FragmentB b_part;
      wmma::load_matrix_sync(a_part, &a_tile[row * kTile + l], kTile);
      wmma::load_matrix_sync(b_part, &b_tile[l * kTile + col], kTile);
      wmma::mma_sync(sums, a_part, b_part, sums);
    }
  }
  // WMMA does not say which lane has which element: only whole fragments can be stored, and
  // shared memory has room for fragments that reach beyond C.
  wmma::store_matrix_sync(&c_tile[row * kTile + col], sums, kTile, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < kTile * kTile; i += kBlockSize) {
    const int r = tile_row + i / kTile;
    const int q = tile_col + i % kTile;
    if (r < m && q < n) c[static_cast<size_t>(r) * n + q] = c_tile[i];
  }
}

}  // namespace

void tensor(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  if (m == 0 || n == 0) return;
  const int blocks = ceil_div(m, kTile) * ceil_div(n, kTile);
  tensor_kernel<<<blocks, kBlockSize>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

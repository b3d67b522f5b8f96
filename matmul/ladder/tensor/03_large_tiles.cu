// Rung 3: large tiles, 16 fragments of sums per warp.
// needs: compute capability 8.0
//
//   make check-matmul WITH=ladder/tensor/03_large_tiles.cu
//
// Idea: as with ordinary cores, what was loaded should be used often. A warp computes 64 x 64
// elements of C: each step loads four fragments of A and four of B for 16 products, in place of two
// for a single product. A block computes 128 x 128, and its threads load eight elements at a time.
// Expect: an eighth of the loads from global memory, a quarter of the loads from shared memory.
#include <mma.h>

#include "matmul.h"

#include "cuda_check.h"

namespace {

using namespace nvcuda;

constexpr int kTile = 128;     // rows and columns of C for a block
constexpr int kDepth = 32;     // columns of A and rows of B that are in shared memory at a time
constexpr int kWarpTile = 64;  // rows and columns of C for a warp
constexpr int kSide = 16;      // of a fragment
constexpr int kFragments = kWarpTile / kSide;
constexpr int kWarpsAcross = kTile / kWarpTile;
constexpr int kBlockSize = 32 * kWarpsAcross * kWarpsAcross;
constexpr int kChunk = 8;  // elements that are loaded at a time: 16 bytes

using FragmentA =
    wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, __nv_bfloat16, wmma::row_major>;
using FragmentB =
    wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, __nv_bfloat16, wmma::row_major>;
using FragmentC = wmma::fragment<wmma::accumulator, kSide, kSide, kSide, float>;

// kChunk elements of a matrix from (row, col) on; elements outside are 0. kVectors: rows begin
// on 16-byte boundaries, and so a chunk is either inside or outside.
template <bool kVectors>
__device__ uint4 load_chunk(const __nv_bfloat16* matrix, int rows, int cols, int row, int col) {
  const __nv_bfloat16* from = matrix + static_cast<size_t>(row) * cols + col;
  if (kVectors) {
    const bool inside = row < rows && col < cols;
    return inside ? *reinterpret_cast<const uint4*>(from) : make_uint4(0, 0, 0, 0);
  }
  const auto bits = [&](int i) -> unsigned {
    return row < rows && col + i < cols ? __bfloat16_as_ushort(from[i]) : 0;
  };
  return make_uint4(bits(0) | bits(1) << 16, bits(2) | bits(3) << 16, bits(4) | bits(5) << 16,
                    bits(6) | bits(7) << 16);
}

// The block copies kTileRows x kTileCols elements of a matrix, from element (row, col) on.
template <bool kVectors, int kTileRows, int kTileCols>
__device__ void load_tile(const __nv_bfloat16* matrix, int rows, int cols, int row, int col,
                          uint4* tile) {
  constexpr int kAcross = kTileCols / kChunk;
#pragma unroll
  for (int i = 0; i < kTileRows * kAcross; i += kBlockSize) {
    const int chunk = i + threadIdx.x;
    tile[chunk] = load_chunk<kVectors>(matrix, rows, cols, row + chunk / kAcross,
                                       col + chunk % kAcross * kChunk);
  }
}

// A warp writes a fragment to C, from element (row, col) on, through `room` in shared memory.
__device__ void store_fragment(const FragmentC& sums, float* c, int m, int n, int row, int col,
                               float* room) {
  wmma::store_matrix_sync(room, sums, kSide, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % 32; i < kSide * kSide; i += 32) {
    const int r = row + i / kSide;
    const int q = col + i % kSide;
    if (r < m && q < n) c[static_cast<size_t>(r) * n + q] = room[i];
  }
  __syncwarp();  // the next fragment takes this one's place
}

// A block of kBlockSize threads per tile of C: each of its warps computes kWarpTile x kWarpTile
// elements. Tiles are numbered along the rows of C.
template <bool kVectors>
__global__ void tensor_kernel(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b,
                              float* c) {
  __shared__ __align__(32) uint4 a_tile[kTile * kDepth / kChunk];
  __shared__ __align__(32) uint4 b_tile[kDepth * kTile / kChunk];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int tile_row = blockIdx.x / tiles_across * kTile;
  const int tile_col = blockIdx.x % tiles_across * kTile;
  const int warp = threadIdx.x / 32;
  const int row = warp / kWarpsAcross * kWarpTile;
  const int col = warp % kWarpsAcross * kWarpTile;

  FragmentC sums[kFragments][kFragments];
  for (int i = 0; i < kFragments; ++i) {
    for (int j = 0; j < kFragments; ++j)
      wmma::fill_fragment(sums[i][j], 0.0f);
  }
  for (int first = 0; first < k; first += kDepth) {
    load_tile<kVectors, kTile, kDepth>(a, m, k, tile_row, first, a_tile);
    load_tile<kVectors, kDepth, kTile>(b, k, n, first, tile_col, b_tile);
    __syncthreads();  // both tiles are complete
    const auto* const a_elements = reinterpret_cast<const __nv_bfloat16*>(a_tile);
    const auto* const b_elements = reinterpret_cast<const __nv_bfloat16*>(b_tile);
#pragma unroll
    for (int l = 0; l < kDepth; l += kSide) {
      FragmentA a_part[kFragments];
      for (int i = 0; i < kFragments; ++i) {
        const int a_row = row + i * kSide;
        wmma::load_matrix_sync(a_part[i], &a_elements[a_row * kDepth + l], kDepth);
      }
      for (int j = 0; j < kFragments; ++j) {
        FragmentB b_part;
        wmma::load_matrix_sync(b_part, &b_elements[l * kTile + col + j * kSide], kTile);
        for (int i = 0; i < kFragments; ++i)
          wmma::mma_sync(sums[i][j], a_part[i], b_part, sums[i][j]);
      }
    }
    __syncthreads();  // no thread reads the tiles any more
  }
  float* const room = reinterpret_cast<float*>(a_tile) + warp * kSide * kSide;
#pragma unroll
  for (int i = 0; i < kFragments; ++i) {
#pragma unroll
    for (int j = 0; j < kFragments; ++j) {
      store_fragment(sums[i][j], c, m, n, tile_row + row + i * kSide, tile_col + col + j * kSide,
                     room);
    }
  }
}

}  // namespace

void tensor(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  if (m == 0 || n == 0) return;
  const int blocks = ceil_div(m, kTile) * ceil_div(n, kTile);
  if (n % kChunk == 0 && k % kChunk == 0) {
    tensor_kernel<true><<<blocks, kBlockSize>>>(m, n, k, a, b, c);
  } else {
    tensor_kernel<false><<<blocks, kBlockSize>>>(m, n, k, a, b, c);
  }
  CUDA_CHECK(cudaGetLastError());
}

// Rung 4, beside: mma.sync by hand.
// needs: compute capability 8.0
//
//   make check-matmul WITH=ladder/tensor/04_mma_sync.cu
//
// Idea: PTX says which lane holds which element of a fragment; WMMA does not. ldmatrix loads four
// matrices of 8 x 8 with an instruction, where each lane names a row of 16 bytes, and mma.sync
// multiplies 16 x 16 by 16 x 8. Expect: the same products and the same rows of shared memory; the
// sums go from registers directly to C, each lane's in pairs of neighbours.
#include <cuda_pipeline.h>

#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 128;     // rows and columns of C for a block
constexpr int kDepth = 32;     // columns of A and rows of B that are in shared memory at a time
constexpr int kWarpTile = 64;  // rows and columns of C for a warp
constexpr int kRows = 16;      // of C, for one mma.sync
constexpr int kCols = 8;
constexpr int kInner = 16;  // columns of A and rows of B for one mma.sync
constexpr int kDown = kWarpTile / kRows;
constexpr int kAcross = kWarpTile / kCols;
constexpr int kWarpsAcross = kTile / kWarpTile;
constexpr int kBlockSize = 32 * kWarpsAcross * kWarpsAcross;
constexpr int kStages = 3;
constexpr int kChunk = 8;  // elements that are copied at a time: 16 bytes
constexpr int kTileChunks = kTile * kDepth / kChunk;

// A lane's part of matrices of bf16 numbers: two of them in each register.
struct Four {
  unsigned r[4];
};

// A lane's part of kRows x kCols sums: neighbours in row lane / 4, and in the row 8 further down.
struct Sums {
  float r[4];
};

// Four matrices of 8 x 8: lanes 8 i to 8 i + 7 give the rows of matrix i, of 16 bytes each. A lane
// gets two neighbours of row lane / 4 of each.
__device__ Four load_matrices(const uint4* row) {
  Four four;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.r[0]), "=r"(four.r[1]), "=r"(four.r[2]), "=r"(four.r[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
  return four;
}

// The same of the transposed matrices: two neighbours of column lane / 4 of each.
__device__ Four load_transposed(const uint4* row) {
  Four four;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.r[0]), "=r"(four.r[1]), "=r"(four.r[2]), "=r"(four.r[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
  return four;
}

// The sums and the product of A's 16 x 16 and B's 16 x 8 elements.
__device__ Sums multiply(Four a, unsigned b_upper, unsigned b_lower, Sums sums) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums.r[0]), "+f"(sums.r[1]), "+f"(sums.r[2]), "+f"(sums.r[3])
      : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b_upper), "r"(b_lower));
  return sums;
}

// Begins to copy kChunk elements of a matrix from (row, col) on; elements outside are 0.
// kVectors: rows begin on 16-byte boundaries, and so a chunk is either inside or outside. Elsewhere
// no copy of 16 bytes is possible, and elements pass through registers.
template <bool kVectors>
__device__ void copy_chunk(const __nv_bfloat16* matrix, int rows, int cols, int row, int col,
                           uint4* to) {
  const __nv_bfloat16* from = matrix + static_cast<size_t>(row) * cols + col;
  if (kVectors) {
    const bool inside = row < rows && col < cols;
    __pipeline_memcpy_async(to, inside ? from : matrix, sizeof *to, inside ? 0 : sizeof *to);
  } else {
    const auto bits = [&](int i) -> unsigned {
      return row < rows && col + i < cols ? __bfloat16_as_ushort(from[i]) : 0;
    };
    *to = make_uint4(bits(0) | bits(1) << 16, bits(2) | bits(3) << 16, bits(4) | bits(5) << 16,
                     bits(6) | bits(7) << 16);
  }
}

// Where a chunk of a row lies in a tile of A, and in one of B.
__device__ int place_in_a(int row, int chunk) {
  return row * (kDepth / kChunk) + chunk;
}
__device__ int place_in_b(int row, int chunk) {
  return row * (kTile / kChunk) + chunk;
}

// The block begins to copy kTileRows x kTileCols elements of a matrix, from element (row, col) on.
// `place`: where a chunk of a row lies in the tile.
template <bool kVectors, int kTileRows, int kTileCols, class Place>
__device__ void copy_tile(const __nv_bfloat16* matrix, int rows, int cols, int row, int col,
                          uint4* tile, Place place) {
  constexpr int kChunks = kTileCols / kChunk;
#pragma unroll
  for (int i = 0; i < kTileRows * kChunks; i += kBlockSize) {
    const int r = (i + threadIdx.x) / kChunks;
    const int chunk = (i + threadIdx.x) % kChunks;
    copy_chunk<kVectors>(matrix, rows, cols, row + r, col + chunk * kChunk, &tile[place(r, chunk)]);
  }
}

// Two neighbours in a row of C.
template <bool kVectors>
__device__ void store_pair(float first, float second, float* c, int m, int n, int row, int col) {
  if (row >= m) return;
  float* to = c + static_cast<size_t>(row) * n + col;
  if (kVectors) {
    if (col < n) *reinterpret_cast<float2*>(to) = make_float2(first, second);
  } else {
    if (col < n) to[0] = first;
    if (col + 1 < n) to[1] = second;
  }
}

// A block of kBlockSize threads per tile of C: each of its warps computes kWarpTile x kWarpTile
// elements. Tiles are numbered along the rows of C.
template <bool kVectors>
__global__ void tensor_kernel(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b,
                              float* c) {
  __shared__ uint4 a_tiles[kStages][kTileChunks];
  __shared__ uint4 b_tiles[kStages][kTileChunks];
  const int tiles_across = (n + kTile - 1) / kTile;
  const int tile_row = blockIdx.x / tiles_across * kTile;
  const int tile_col = blockIdx.x % tiles_across * kTile;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = warp / kWarpsAcross * kWarpTile;
  const int col = warp % kWarpsAcross * kWarpTile;

  const int steps = (k + kDepth - 1) / kDepth;
  const auto copy = [&](int step) {
    const int stage = step % kStages;
    if (step < steps) {
      copy_tile<kVectors, kTile, kDepth>(a, m, k, tile_row, step * kDepth, a_tiles[stage],
                                         place_in_a);
      copy_tile<kVectors, kDepth, kTile>(b, k, n, step * kDepth, tile_col, b_tiles[stage],
                                         place_in_b);
    }
    // Also where there is nothing to copy: what is waited for is counted in commits.
    __pipeline_commit();
  };

  Sums sums[kDown][kAcross] = {};
  for (int step = 0; step < kStages - 1; ++step)
    copy(step);
  for (int step = 0; step < steps; ++step) {
    // All threads' copies of the oldest stage have arrived; and all threads have used the stage
    // before, whose place the next copies take.
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    copy(step + kStages - 1);
    const uint4* const a_tile = a_tiles[step % kStages];
    const uint4* const b_tile = b_tiles[step % kStages];
#pragma unroll
    for (int l = 0; l < kDepth; l += kInner) {
      // Of 16 x 16 elements the upper left matrix, the lower left matrix, and both to the right.
      Four a_part[kDown];
      for (int i = 0; i < kDown; ++i)
        a_part[i] =
            load_matrices(&a_tile[place_in_a(row + i * kRows + lane % 16, l / 8 + lane / 16)]);
      for (int j = 0; j < kAcross; j += 2) {
        const Four b_part =
            load_transposed(&b_tile[place_in_b(l + lane % 16, (col + j * kCols) / 8 + lane / 16)]);
        for (int i = 0; i < kDown; ++i) {
          sums[i][j] = multiply(a_part[i], b_part.r[0], b_part.r[1], sums[i][j]);
          sums[i][j + 1] = multiply(a_part[i], b_part.r[2], b_part.r[3], sums[i][j + 1]);
        }
      }
    }
  }
  for (int i = 0; i < kDown; ++i) {
    const int c_row = tile_row + row + i * kRows + lane / 4;
    for (int j = 0; j < kAcross; ++j) {
      const int c_col = tile_col + col + j * kCols + lane % 4 * 2;
      const Sums four = sums[i][j];
      store_pair<kVectors>(four.r[0], four.r[1], c, m, n, c_row, c_col);
      store_pair<kVectors>(four.r[2], four.r[3], c, m, n, c_row + 8, c_col);
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

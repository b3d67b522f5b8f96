// The solution: large tiles, four stages of asynchronous copies, and a shape for each kind of
// matrix.
//
//   make check-matmul PART=sgemm WITH=solution
//
// A multiprocessor can start a multiplication and addition for 128 threads in each clock and
// nothing else beside it, so what counts is how many instructions are something else. With 8 x 16
// elements of C per thread there are six loads of a float4 for 128 of them. That takes more than
// half of the registers that a thread can have, so one block of 256 threads fills a multiprocessor,
// and what it waits for must have been asked for long before: three tiles are under way while one
// is used.
#include <cuda_pipeline.h>

#include "matmul.h"

#include "cuda_check.h"

namespace {

// How a block of C is shared out. A block computes kTileRows x kTileCols elements, in steps of
// kDepth columns of A; each of its warps kWarpRows x kWarpCols of them, with kLanesDown threads one
// below the other. A thread has groups of four rows and of four columns, so that what it reads is a
// float4, and its neighbours' groups lie beside its own.
template <int tile_rows, int tile_cols, int depth, int warp_rows, int warp_cols, int lanes_down,
          int stages, int blocks>
struct Shape {
  static constexpr int kTileRows = tile_rows;
  static constexpr int kTileCols = tile_cols;
  static constexpr int kDepth = depth;
  static constexpr int kWarpRows = warp_rows;
  static constexpr int kWarpCols = warp_cols;
  static constexpr int kLanesDown = lanes_down;
  static constexpr int kLanesAcross = 32 / lanes_down;
  static constexpr int kStages = stages;
  static constexpr int kBlocks = blocks;  // on a multiprocessor
  static constexpr int kRows = warp_rows / kLanesDown;
  static constexpr int kCols = warp_cols / kLanesAcross;
  static constexpr int kThreads = 32 * (tile_rows / warp_rows) * (tile_cols / warp_cols);
  // Four words behind each row: the copies of a warp, of 8 rows and 4 columns, fall into 32 banks.
  static constexpr int kStride = tile_rows + 4;
  static constexpr int kStageFloats = depth * (kStride + tile_cols);
  static constexpr int kSharedBytes = stages * kStageFloats * 4;
};

using Large = Shape<128, 256, 16, 64, 64, 8, 6, 1>;
using Medium = Shape<128, 128, 16, 64, 32, 8, 4, 2>;
using Narrow = Shape<128, 64, 16, 32, 32, 8, 4, 2>;
using Small = Shape<64, 64, 16, 32, 32, 8, 4, 4>;

// What the compiler may rely on.
enum class Fit {
  kWhole,    // tiles cover the matrices exactly
  kVectors,  // rows of B and of C begin on 16-byte boundaries
  kAny
};

constexpr int kColumns = 8;  // of A that a warp copies at a time, of four rows each

// Begins to copy kDepth columns of A, from column `first` on, transposed, so that the elements of a
// column are neighbours; behind the last column come zeros. Rows that A does not have are those of
// its last: what becomes of them is never stored.
template <class S, Fit kFit>
__device__ void copy_a(const float* a, int m, int k, int tile_row, int first, float* tile) {
  constexpr int kRowsAtATime = S::kThreads / kColumns;
  const int x = threadIdx.x % kColumns;
  const int y = threadIdx.x / kColumns;
#pragma unroll
  for (int i = 0; i < S::kTileRows; i += kRowsAtATime) {
    const int row = kFit == Fit::kWhole ? tile_row + y + i : min(tile_row + y + i, m - 1);
#pragma unroll
    for (int l = 0; l < S::kDepth; l += kColumns) {
      const bool inside = kFit == Fit::kWhole || first + x + l < k;
      __pipeline_memcpy_async(&tile[(x + l) * S::kStride + y + i],
                              a + static_cast<size_t>(row) * k + first + x + l, 4, inside ? 0 : 4);
    }
  }
}

// Begins to copy kDepth rows of B, from row `first` on; behind the last row come zeros. Columns
// that B does not have are its last.
template <class S, Fit kFit>
__device__ void copy_b(const float* b, int k, int n, int first, int tile_col, float* tile) {
  constexpr int kWidth = kFit == Fit::kAny ? 1 : 4;
  constexpr int kAcross = S::kTileCols / kWidth;
  constexpr int kRowsAtATime = S::kThreads / kAcross;
  const int x = threadIdx.x % kAcross * kWidth;
  const int y = threadIdx.x / kAcross;
  const int col = kFit == Fit::kWhole ? tile_col + x : min(tile_col + x, n - kWidth);
#pragma unroll
  for (int l = 0; l < S::kDepth; l += kRowsAtATime) {
    const bool inside = kFit == Fit::kWhole || first + y + l < k;
    __pipeline_memcpy_async(&tile[(y + l) * S::kTileCols + x],
                            b + static_cast<size_t>(first + y + l) * n + col, 4 * kWidth,
                            inside ? 0 : 4 * kWidth);
  }
}

template <Fit kFit>
__device__ void store_four(float4 four, float* c, int m, int n, int row, int col) {
  if (kFit != Fit::kWhole && row >= m) return;
  float* const to = c + static_cast<size_t>(row) * n + col;
  if (kFit != Fit::kAny) {
    if (kFit == Fit::kWhole || col < n) *reinterpret_cast<float4*>(to) = four;
  } else {
    if (col < n) to[0] = four.x;
    if (col + 1 < n) to[1] = four.y;
    if (col + 2 < n) to[2] = four.z;
    if (col + 3 < n) to[3] = four.w;
  }
}

// A block per tile of C; tiles are numbered along the rows of C.
template <class S, Fit kFit>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  extern __shared__ float4 stages[];
  float* const memory = reinterpret_cast<float*>(stages);
  const int tiles_across = (n + S::kTileCols - 1) / S::kTileCols;
  const int tile_row = blockIdx.x / tiles_across * S::kTileRows;
  const int tile_col = blockIdx.x % tiles_across * S::kTileCols;
  // The first of the thread's rows and columns within the tile.
  constexpr int kWarpsAcross = S::kTileCols / S::kWarpCols;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = warp / kWarpsAcross * S::kWarpRows + lane / S::kLanesAcross * 4;
  const int col = warp % kWarpsAcross * S::kWarpCols + lane % S::kLanesAcross * 4;

  const int steps = (k + S::kDepth - 1) / S::kDepth;
  const auto copy = [&](int step) {
    if (step < steps) {
      float* const stage = memory + step % S::kStages * S::kStageFloats;
      copy_a<S, kFit>(a, m, k, tile_row, step * S::kDepth, stage);
      copy_b<S, kFit>(b, k, n, step * S::kDepth, tile_col, stage + S::kDepth * S::kStride);
    }
    // Also where there is nothing to copy: what is waited for is counted in commits.
    __pipeline_commit();
  };

  // Of each of the thread's columns four rows together, as they are multiplied.
  float4 sums[S::kRows / 4][S::kCols] = {};
  for (int step = 0; step < S::kStages - 1; ++step)
    copy(step);
  for (int step = 0; step < steps; ++step) {
    // Of the oldest stage all threads' copies are there; and all threads have used the one before
    // it, whose place the next copies take.
    __pipeline_wait_prior(S::kStages - 2);
    __syncthreads();
    copy(step + S::kStages - 1);
    const float* const a_tile = memory + step % S::kStages * S::kStageFloats;
    const float* const b_tile = a_tile + S::kDepth * S::kStride;
#pragma unroll
    for (int l = 0; l < S::kDepth; ++l) {
      float4 a_part[S::kRows / 4];
      float b_part[S::kCols];
#pragma unroll
      for (int i = 0; i < S::kRows / 4; ++i) {
        a_part[i] =
            *reinterpret_cast<const float4*>(&a_tile[l * S::kStride + row + 4 * i * S::kLanesDown]);
      }
#pragma unroll
      for (int j = 0; j < S::kCols; j += 4) {
        const float4 four =
            *reinterpret_cast<const float4*>(&b_tile[l * S::kTileCols + col + j * S::kLanesAcross]);
        b_part[j] = four.x;
        b_part[j + 1] = four.y;
        b_part[j + 2] = four.z;
        b_part[j + 3] = four.w;
      }
      // Down one column of the thread's part of C and up the next: each product has a factor in
      // common with the one before it. Registers deliver two of an instruction's three operands in
      // a clock; an operand of the instruction before need not be delivered again.
#pragma unroll
      for (int j = 0; j < S::kCols; j += 2) {
#pragma unroll
        for (int i = 0; i < S::kRows / 4; ++i) {
          sums[i][j].x += a_part[i].x * b_part[j];
          sums[i][j].y += a_part[i].y * b_part[j];
          sums[i][j].z += a_part[i].z * b_part[j];
          sums[i][j].w += a_part[i].w * b_part[j];
        }
#pragma unroll
        for (int i = S::kRows / 4 - 1; i >= 0; --i) {
          sums[i][j + 1].w += a_part[i].w * b_part[j + 1];
          sums[i][j + 1].z += a_part[i].z * b_part[j + 1];
          sums[i][j + 1].y += a_part[i].y * b_part[j + 1];
          sums[i][j + 1].x += a_part[i].x * b_part[j + 1];
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < S::kRows / 4; ++i) {
    const int c_row = tile_row + row + 4 * i * S::kLanesDown;
#pragma unroll
    for (int j = 0; j < S::kCols; j += 4) {
      const int c_col = tile_col + col + j * S::kLanesAcross;
      const float4 first = sums[i][j];
      const float4 second = sums[i][j + 1];
      const float4 third = sums[i][j + 2];
      const float4 fourth = sums[i][j + 3];
      store_four<kFit>(make_float4(first.x, second.x, third.x, fourth.x), c, m, n, c_row, c_col);
      store_four<kFit>(make_float4(first.y, second.y, third.y, fourth.y), c, m, n, c_row + 1,
                       c_col);
      store_four<kFit>(make_float4(first.z, second.z, third.z, fourth.z), c, m, n, c_row + 2,
                       c_col);
      store_four<kFit>(make_float4(first.w, second.w, third.w, fourth.w), c, m, n, c_row + 3,
                       c_col);
    }
  }
}

template <class S, Fit kFit>
void launch(int m, int n, int k, const float* a, const float* b, float* c) {
  const int blocks = ceil_div(m, S::kTileRows) * ceil_div(n, S::kTileCols);
  const auto kernel = sgemm_kernel<S, kFit>;
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  kernel<<<blocks, S::kThreads, S::kSharedBytes>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

template <class S>
bool is_whole(int m, int n, int k) {
  return m % S::kTileRows == 0 && n % S::kTileCols == 0 && k % S::kDepth == 0;
}

template <class S>
void launch_fitting(int m, int n, int k, const float* a, const float* b, float* c) {
  if (is_whole<S>(m, n, k)) {
    launch<S, Fit::kWhole>(m, n, k, a, b, c);
  } else if (n % 4 == 0) {
    launch<S, Fit::kVectors>(m, n, k, a, b, c);
  } else {
    launch<S, Fit::kAny>(m, n, k, a, b, c);
  }
}

}  // namespace

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  int device;
  int multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto fills = [&](int rows, int cols) {
    return n >= cols && ceil_div(m, rows) * ceil_div(n, cols) >= multiprocessors;
  };
  if (is_whole<Large>(m, n, k) && fills(Large::kTileRows, Large::kTileCols)) {
    launch<Large, Fit::kWhole>(m, n, k, a, b, c);
  } else if (fills(Medium::kTileRows, Medium::kTileCols)) {
    launch_fitting<Medium>(m, n, k, a, b, c);
  } else if (fills(Narrow::kTileRows, Narrow::kTileCols)) {
    launch_fitting<Narrow>(m, n, k, a, b, c);
  } else {
    launch_fitting<Small>(m, n, k, a, b, c);
  }
}

// The solution: large tiles, six stages of asynchronous copies, and a shape for each kind of
// matrix.
//
//   make check-matmul PART=sgemm WITH=solution
//
// A multiprocessor can start a multiplication and addition for 128 threads in each clock and
// nothing else beside, so what counts is how many instructions are something else. With 8 x 16
// elements of C per thread, 128 multiplications need six loads of a float4. The tiles take more
// than half of the registers that a thread can have, so a block of 256 threads fills a
// multiprocessor, and loads must begin early: five tiles are under way while a tile is used,
// operands are loaded before the products that precede, and copies begin singly between products.
// Copies begun at once would fill the queue in which the loads of the products wait as well.
#include <cuda_pipeline.h>

#include <algorithm>

#include "matmul.h"

#include "cuda_check.h"

namespace {

// How a block of C is shared out. A block computes kTileRows x kTileCols elements, in steps of
// kDepth columns of A; each warp computes kWarpRows x kWarpCols elements, with kLanesDown threads
// in a column. A thread has groups of four rows and of four columns, so that each read is a float4,
// and neighbours' groups lie beside each other.
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
  // Four words behind each column of A's tile, so that a warp's copies fall into different banks.
  static constexpr int kStride = tile_rows + 4;
  static constexpr int kStageFloats = depth * (kStride + tile_cols);
  static constexpr int kSharedBytes = stages * kStageFloats * 4;

  // The next stage; after the last comes the first.
  template <class Float>
  __device__ static Float* next(Float* stage, Float* first) {
    return stage == first + (stages - 1) * kStageFloats ? first : stage + kStageFloats;
  }
};

// The number of products that a multiprocessor makes in the same time is largest with the first
// two.
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

constexpr int kColumns = 16;  // of A that a warp copies at a time, of two rows each

// A warp's copy has 16 columns of A, each of which begins four banks behind the column before,
// so columns eight apart would share banks. So in every other eight columns the first two of
// four rows change places with the last two: row r stands at r ^ 2.
__device__ constexpr int swap_in_column(int column) {
  return column / 8 % 2 * 2;
}

// The copies that a thread makes of each pair of tiles.
template <class S, Fit kFit>
struct Copies {
  static constexpr int kRowsOfA = S::kThreads / kColumns;   // that the block's threads copy at once
  static constexpr int kWidth = kFit == Fit::kAny ? 1 : 4;  // of a copy of B
  static constexpr int kAcross = S::kTileCols / kWidth;
  static constexpr int kRowsOfB = S::kThreads / kAcross;
  static constexpr int kOfA = S::kTileRows / kRowsOfA;
  static constexpr int kOfB = S::kDepth / kRowsOfB;
  static constexpr int kCount = kOfA + kOfB;
  static_assert(S::kDepth == kColumns, "one copy of A has all columns of its rows");
};

// Begins copy number i of the tile of A, transposed, so that the elements of a column are
// neighbours, and of the tile of B. `a` and `b` are the thread's first elements of the tiles,
// `a_to` and `b_to` their places in shared memory. A and B have `a_rows` and `b_rows` rows from the
// first elements on; elements of rows beyond are zero.
template <class S, Fit kFit>
__device__ void begin_copy(int i, const float* a, const float* b, int n, int k, int a_rows,
                           int b_rows, float* a_to, float* b_to) {
  using C = Copies<S, kFit>;
  if (kFit == Fit::kWhole && b_rows <= 0) return;
  if (i < C::kOfA) {
    const int row = i * C::kRowsOfA;
    const int zeros = kFit == Fit::kWhole || row < a_rows ? 0 : 4;
    __pipeline_memcpy_async(a_to + row, a + static_cast<size_t>(row) * k, 4, zeros);
  } else {
    const int row = (i - C::kOfA) * C::kRowsOfB;
    const int zeros = kFit == Fit::kWhole || row < b_rows ? 0 : 4 * C::kWidth;
    __pipeline_memcpy_async(b_to + row * S::kTileCols, b + static_cast<size_t>(row) * n,
                            4 * C::kWidth, zeros);
  }
}

// What a thread reads of a tile for the products of one step.
template <class S>
struct Factors {
  float4 a[S::kRows / 4];
  float b[S::kCols];

  // From column `l` of A's tile and row `l` of B's; `row` and `col` are the thread's first.
  __device__ void load(const float* stage, int l, int row, int col) {
#pragma unroll
    for (int i = 0; i < S::kRows / 4; ++i) {
      a[i] = *reinterpret_cast<const float4*>(&stage[l * S::kStride + row + 4 * i * S::kLanesDown]);
      if (swap_in_column(l) != 0) a[i] = make_float4(a[i].z, a[i].w, a[i].x, a[i].y);
    }
    const float* const b_tile = stage + S::kDepth * S::kStride;
#pragma unroll
    for (int j = 0; j < S::kCols; j += 4) {
      const float4 four =
          *reinterpret_cast<const float4*>(&b_tile[l * S::kTileCols + col + j * S::kLanesAcross]);
      b[j] = four.x;
      b[j + 1] = four.y;
      b[j + 2] = four.z;
      b[j + 3] = four.w;
    }
  }
};

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

  using C = Copies<S, kFit>;
  const int a_row = threadIdx.x / kColumns;
  const int a_col = threadIdx.x % kColumns;
  const int b_row = threadIdx.x / C::kAcross;
  const int b_col = threadIdx.x % C::kAcross * C::kWidth;
  const int rows = m - tile_row - a_row;
  const float* a_from = a + static_cast<size_t>(tile_row + a_row) * k + a_col;
  // A column beyond B is the last column, whose products are never stored.
  const float* b_from =
      b + static_cast<size_t>(b_row) * n +
      (kFit == Fit::kWhole ? tile_col + b_col : min(tile_col + b_col, n - C::kWidth));
  const int a_to = a_col * S::kStride + (a_row ^ swap_in_column(a_col));
  const int b_to = S::kDepth * S::kStride + b_row * S::kTileCols + b_col;
  int to_copy = k;                    // columns of A and rows of B from the next tiles on
  int a_rows = a_col < k ? rows : 0;  // of A from the thread's on, in its column of the next tile
  float* filled = memory;             // the stage that the next tiles go to
  const auto begin = [&](int i) {
    begin_copy<S, kFit>(i, a_from, b_from, n, k, a_rows, to_copy - b_row, filled + a_to,
                        filled + b_to);
  };
  // What was begun is a batch; the next copies are those of the next tiles.
  const auto commit = [&] {
    __pipeline_commit();
    to_copy -= S::kDepth;
    if (a_col >= to_copy) a_rows = 0;
    a_from += S::kDepth;
    b_from += static_cast<size_t>(S::kDepth) * n;
    filled = S::next(filled, memory);
  };
  for (int stage = 0; stage < S::kStages - 1; ++stage) {
#pragma unroll
    for (int i = 0; i < C::kCount; ++i)
      begin(i);
    commit();
  }
  const float* stage = memory;
  Factors<S> factors[2];
  // Of each of the thread's columns four rows together, as they are multiplied.
  float4 sums[S::kRows / 4][S::kCols] = {};
  // All threads' batches but the last four, or the number of stages less two, have arrived, and
  // all threads have read the stage that is filled next.
  const auto await_stage = [] {
    __pipeline_wait_prior(S::kStages - 2);
    __syncthreads();
  };
  await_stage();
  factors[0].load(stage, 0, row, col);
  // Copies go between the products, as few at a time as bring all of them before the last.
  constexpr int kAtATime = (C::kCount + S::kDepth - 2) / (S::kDepth - 1);
  for (int left = k; left > 0; left -= S::kDepth) {
#pragma unroll
    for (int l = 0; l < S::kDepth; ++l) {
      if (l == S::kDepth - 1) {
        commit();
        await_stage();
        // Behind the last stage there is none: what is loaded once more is not used.
        if (left > S::kDepth) stage = S::next(stage, static_cast<const float*>(memory));
      }
      factors[(l + 1) % 2].load(stage, (l + 1) % S::kDepth, row, col);
#pragma unroll
      for (int i = l * kAtATime; i < (l + 1) * kAtATime && i < C::kCount; ++i)
        begin(i);
      // Down one column of the thread's part of C and up the next: each product has a factor in
      // common with the product before. Registers deliver two of an instruction's three operands in
      // a clock; an operand of the instruction before need not be delivered again.
      const Factors<S>& now = factors[l % 2];
#pragma unroll
      for (int j = 0; j < S::kCols; j += 2) {
#pragma unroll
        for (int i = 0; i < S::kRows / 4; ++i) {
          sums[i][j].x += now.a[i].x * now.b[j];
          sums[i][j].y += now.a[i].y * now.b[j];
          sums[i][j].z += now.a[i].z * now.b[j];
          sums[i][j].w += now.a[i].w * now.b[j];
        }
#pragma unroll
        for (int i = S::kRows / 4 - 1; i >= 0; --i) {
          sums[i][j + 1].w += now.a[i].w * now.b[j + 1];
          sums[i][j + 1].z += now.a[i].z * now.b[j + 1];
          sums[i][j + 1].y += now.a[i].y * now.b[j + 1];
          sums[i][j + 1].x += now.a[i].x * now.b[j + 1];
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
  return m % S::kTileRows == 0 && n % S::kTileCols == 0 && k % S::kDepth == 0 && k > 0;
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
  // The time of the multiprocessor with most to do, which is the others' time, too. `speed` is how
  // many products the shape makes in the time in which the large shape makes 100.
  const auto time = [&](int rows, int cols, int speed) {
    const int tiles = ceil_div(m, rows) * ceil_div(n, cols);
    return ceil_div(tiles, multiprocessors) * (static_cast<double>(rows) * cols / speed);
  };
  const double large = time(Large::kTileRows, Large::kTileCols, 100);
  const double medium = time(Medium::kTileRows, Medium::kTileCols, 93);
  const double narrow = time(Narrow::kTileRows, Narrow::kTileCols, 70);
  const double small = time(Small::kTileRows, Small::kTileCols, 70);
  // Copies of an element each are many: the large tile has too few threads.
  const bool by_vectors = n % 4 == 0;
  if (by_vectors && large <= std::min({medium, narrow, small})) {
    launch_fitting<Large>(m, n, k, a, b, c);
  } else if (medium <= std::min(narrow, small)) {
    launch_fitting<Medium>(m, n, k, a, b, c);
  } else if (narrow <= small) {
    launch_fitting<Narrow>(m, n, k, a, b, c);
  } else {
    launch_fitting<Small>(m, n, k, a, b, c);
  }
}

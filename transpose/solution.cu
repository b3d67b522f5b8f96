// The fastest transpose we know: a kernel for each way in which rows can lie in memory.
//
//   make check-transpose WITH=solution
//
// Memory moves in sectors of 32 bytes, and a float4 must begin at a multiple of 16. Whether rows do
// is decided by the length alone: rows of the input are `cols` long, rows of the output `rows`.
// The result is four cases. The fastest kernel on an H200 in each case:
//
// - Both are multiples of 4: rung 6, with two vectors per thread, stored in squares.
// - One is: rung 5, with tiles that are long on the side whose rows begin anywhere. There
//   the 128 bytes of a warp touch five sectors instead of four, and the fifth is shared with the
//   next warp. At 8193 x 8192 tiles of 128 x 32 take 141 us, tiles of 32 x 128 199 us.
// - None is: tiles shifted, row by row, to where the sectors begin. See transpose_windows.
//
// Tiles are numbered down the input, so that blocks which run at the same time write neighbouring
// pieces of the same output rows, and blocks that share a sector write soon after each other.
//
// Every element is read once and written once, so the L1 cache has nothing to keep. __ldcg and
// __stcg bypass it. Where rows begin anywhere, sectors are touched twice, and what helps was found
// by trying.
//
// Stores of float4 are all intrinsics. nvcc 13.0 splits a plain assignment into four stores of
// a float where the elements come one by one, as below; look for st.global.v4 in the PTX.
#include "transpose.h"

#include "cuda_check.h"

namespace {

// The largest gridDim.y. A matrix with more columns of tiles gets several layers of them, along z.
constexpr int kMaxGridY = 65535;

// Where the block's tile begins. The first blocks go down the first columns of the input.
struct Origin {
  size_t row, col;
};
__device__ Origin tile_origin(int tile_rows, int tile_cols) {
  const size_t tile_col = blockIdx.z * gridDim.y + blockIdx.y;
  return {static_cast<size_t>(blockIdx.x) * tile_rows, tile_col * tile_cols};
}

// The blocks for `tile_origin`.
dim3 tile_grid(size_t rows, size_t cols, int tile_rows, int tile_cols) {
  const int across = ceil_div(cols, tile_cols);
  const int layers = ceil_div(across, kMaxGridY);
  return dim3(ceil_div(rows, tile_rows), ceil_div(across, layers), layers);
}

// Rows and columns of multiples of 4: rung 6, but a thread stores a square of 4 x 4. The thread
// takes a float4 of each of four rows of the tile, and no single elements: a quarter of the reads.
constexpr int kTile = 64;
constexpr int kTileVectors = kTile / 4;
constexpr int kVectorThreads = 512;
constexpr int kVectorsPerThread = kTile * kTileVectors / kVectorThreads;
constexpr int kSquares = kTileVectors * kTileVectors;
static_assert(kSquares <= kVectorThreads, "a thread stores one square, or none");

// A block of kVectorThreads threads per tile of kTile x kTile. Threads 0 to 15 read the first row
// of the input's tile, and write the first four rows of the output's tile.
__global__ void __launch_bounds__(kVectorThreads)
    transpose_vectors(const float* input, size_t rows, size_t cols, float* output) {
  __shared__ float4 tile[kTile][kTileVectors];
  const Origin origin = tile_origin(kTile, kTile);

  // All loads first: nothing waits for a load before the first store into the tile.
  float4 vectors[kVectorsPerThread] = {};
  const int in_vector = threadIdx.x % kTileVectors;
  const size_t in_col = origin.col + 4 * in_vector;
  for (int i = 0; i < kVectorsPerThread; ++i) {
    const int y = threadIdx.x / kTileVectors + i * (kVectorThreads / kTileVectors);
    const size_t in_row = origin.row + y;
    if (in_row < rows && in_col < cols) {
      vectors[i] = __ldcg(reinterpret_cast<const float4*>(&input[in_row * cols + in_col]));
    }
  }
  // Rotated, because neighbouring threads take squares that are four rows apart.
  for (int i = 0; i < kVectorsPerThread; ++i) {
    const int y = threadIdx.x / kTileVectors + i * (kVectorThreads / kTileVectors);
    tile[y][(in_vector + y / 4) % kTileVectors] = vectors[i];
  }

  // Each thread goes on with elements that other threads have read.
  __syncthreads();

  if (threadIdx.x >= kSquares) return;
  const int square_row = threadIdx.x % kTileVectors;
  const int square_col = threadIdx.x / kTileVectors;
  const size_t out_row = origin.col + 4 * square_col;
  const size_t out_col = origin.row + 4 * square_row;
  if (out_row >= cols || out_col >= rows) return;
  const int slot = (square_col + square_row) % kTileVectors;
  const float4 a = tile[4 * square_row][slot];
  const float4 b = tile[4 * square_row + 1][slot];
  const float4 c = tile[4 * square_row + 2][slot];
  const float4 d = tile[4 * square_row + 3][slot];
  auto* out = reinterpret_cast<float4*>(&output[out_row * rows + out_col]);
  const size_t stride = rows / 4;
  __stcg(out, make_float4(a.x, b.x, c.x, d.x));
  __stcg(out + stride, make_float4(a.y, b.y, c.y, d.y));
  __stcg(out + 2 * stride, make_float4(a.z, b.z, c.z, d.z));
  __stcg(out + 3 * stride, make_float4(a.w, b.w, c.w, d.w));
}

// A tile of floats, rows and columns of any length. Tall tiles have long output rows, wide tiles
// long input rows. A block of kThreads threads per tile: neighbouring threads read along rows of
// the input's tile, then write along rows of the output's tile. kWhole: the tile does not reach
// over the edge of the matrix.
//
// Tall tiles use __ldcg and plain stores, wide tiles plain loads and __stcs: at
// 8193 x 8192 tall tiles take 141 us, and 145 us with the wide tiles' choice; at 8192 x 8193 wide
// tiles take 155 us, and 164 us with the tall tiles' choice.
template <int kRows, int kCols, int kThreads, bool kWhole>
__device__ void transpose_tile(const float* input, size_t rows, size_t cols, float* output,
                               float (&tile)[kRows][kCols]) {
  constexpr bool kTall = kRows > kCols;
  const Origin origin = tile_origin(kRows, kCols);

  constexpr int kReadRows = kThreads / kCols;
  constexpr int kPerThread = kRows / kReadRows;
  const int in_x = threadIdx.x % kCols;
  const int in_y = threadIdx.x / kCols;
  // The loop advances a pointer: a 64-bit index per element would cost more than the load.
  const float* in = input + (origin.row + in_y) * cols + origin.col + in_x;
  float elements[kPerThread] = {};
  for (int i = 0; i < kPerThread; ++i, in += kReadRows * cols) {
    const size_t in_row = origin.row + in_y + i * kReadRows;
    if (kWhole || (in_row < rows && origin.col + in_x < cols)) {
      elements[i] = kTall ? __ldcg(in) : *in;
    }
  }
  for (int i = 0; i < kPerThread; ++i) {
    const int y = in_y + i * kReadRows;
    tile[y][(y + in_x) % kCols] = elements[i];
  }

  // Each thread goes on with elements that other threads have read.
  __syncthreads();

  constexpr int kWriteRows = kThreads / kRows;
  const int out_x = threadIdx.x % kRows;
  const int out_y = threadIdx.x / kRows;
  float* out = output + (origin.col + out_y) * rows + origin.row + out_x;
  for (int i = 0; i < kCols / kWriteRows; ++i, out += kWriteRows * rows) {
    const int y = out_y + i * kWriteRows;
    if (kWhole || (origin.col + y < cols && origin.row + out_x < rows)) {
      const float element = tile[out_x][(out_x + y) % kCols];
      if constexpr (kTall) {
        *out = element;
      } else {
        __stcs(out, element);
      }
    }
  }
}

// With 32 registers per thread, at most, a multiprocessor of an H200 can hold all its 2048 threads.
template <int kRows, int kCols, int kThreads>
__global__ void __maxnreg__(32)
    transpose_floats(const float* input, size_t rows, size_t cols, float* output) {
  __shared__ float tile[kRows][kCols];
  const Origin origin = tile_origin(kRows, kCols);
  if (origin.row + kRows <= rows && origin.col + kCols <= cols) {
    transpose_tile<kRows, kCols, kThreads, true>(input, rows, cols, output, tile);
  } else {
    transpose_tile<kRows, kCols, kThreads, false>(input, rows, cols, output, tile);
  }
}

template <int kRows, int kCols, int kThreads>
void launch_floats(const float* input, int rows, int cols, float* output) {
  const dim3 grid = tile_grid(rows, cols, kRows, kCols);
  transpose_floats<kRows, kCols, kThreads><<<grid, kThreads>>>(input, rows, cols, output);
}

// On neither side do rows begin where vectors do, so a tile's edges are shifted, row by row.
//
// - A block reads each input row through a window of whole vectors. The window begins at most three
//   elements before the tile's first column; the elements before are skipped.
// - A block writes each output row in whole sectors. The first sector begins at most seven elements
//   before the tile's first row, so the tile reads eight rows above its own as well; the last ends
//   as many elements early, where the tile below begins. Two blocks write a sector only where an
//   output row ends and the next row begins.
//
// Reading eight rows of 64 twice pays: at 8191 x 8193 windows take 166 us, and the best tile of
// floats 170 us.
constexpr int kSector = 8;
constexpr int kWindowRows = 64;
constexpr int kWindowCols = 128;
constexpr int kOwnRows = kWindowRows - kSector;
constexpr int kOwnCols = kWindowCols - 4;
constexpr int kWindowThreads = 512;
// A warp reads the window of an input row.
constexpr int kReadLanes = kWindowCols / 4;
constexpr int kReadRows = kWindowThreads / kReadLanes;
constexpr int kReadsPerThread = kWindowRows / kReadRows;
// Half a warp writes the tile's part of an output row, except the last two threads, whose part
// belongs to the tile below.
constexpr int kWriteLanes = kWindowRows / 4;
constexpr int kWriteRows = kWindowThreads / kWriteLanes;
constexpr int kWritesPerThread = ceil_div(kOwnCols, kWriteRows);
static_assert(kOwnRows % kSector == 0, "all tiles begin at the same place within a sector");

// The place of column c in row r: rotated, because a store gathers from rows four apart.
__device__ int window_slot(int r, int c) {
  return (c + r / 4 + 8 * (r % 4)) % kWindowCols;
}

// Elements `index` to `index + 3` of a matrix of `size` elements, zeros past its end.
__device__ float4 load_four(const float* input, size_t index, size_t size) {
  if (index + 4 <= size) return __ldcg(reinterpret_cast<const float4*>(&input[index]));
  float4 vector = make_float4(input[index], 0, 0, 0);
  if (index + 1 < size) vector.y = input[index + 1];
  if (index + 2 < size) vector.z = input[index + 2];
  return vector;
}

// A block of kWindowThreads threads per tile. Threads 0 to 31 read the window of its first input
// row; threads 0 to 13 write its first output row. With 32 registers per thread four blocks fit on
// a multiprocessor.
__global__ void __maxnreg__(32)
    transpose_windows(const float* input, size_t rows, size_t cols, float* output) {
  __shared__ float tile[kWindowRows][kWindowCols];
  const Origin origin = tile_origin(kOwnRows, kOwnCols);

  // All loads first: nothing waits for a load before the first store into the tile.
  float4 vectors[kReadsPerThread] = {};
  int skips[kReadsPerThread];  // elements of the window before the tile's first column
  const int in_x = 4 * (threadIdx.x % kReadLanes);
  const int in_y = threadIdx.x / kReadLanes;
  for (int i = 0; i < kReadsPerThread; ++i) {
    // Above the first row of the matrix this wraps around to a number larger than any row.
    const size_t in_row = origin.row + in_y + i * kReadRows - kSector;
    const size_t begin = in_row * cols + origin.col;
    skips[i] = begin % 4;
    if (in_row < rows && origin.col + in_x < cols + skips[i]) {
      vectors[i] = load_four(input, begin - skips[i] + in_x, rows * cols);
    }
  }
  for (int i = 0; i < kReadsPerThread; ++i) {
    const int y = in_y + i * kReadRows;
    const int x = in_x - skips[i];
    if (x >= 0) tile[y][window_slot(y, x)] = vectors[i].x;
    if (x + 1 >= 0) tile[y][window_slot(y, x + 1)] = vectors[i].y;
    if (x + 2 >= 0) tile[y][window_slot(y, x + 2)] = vectors[i].z;
    tile[y][window_slot(y, x + 3)] = vectors[i].w;
  }

  // Each thread goes on with elements that other threads have read.
  __syncthreads();

  const int out_x = 4 * (threadIdx.x % kWriteLanes);
  if (out_x >= kOwnRows) return;
    // nvcc does not unroll the long loop by itself; then each store waits for the store before.
#pragma unroll
  for (int i = 0; i < kWritesPerThread; ++i) {
    const int x = threadIdx.x / kWriteLanes + i * kWriteRows;
    const size_t out_row = origin.col + x;
    if (x >= kOwnCols || out_row >= cols) continue;
    // How far the sector begins before the tile's own first row.
    const int back = (out_row * rows + origin.row) % kSector;
    const int y = kSector - back + out_x;
    // The index may be negative in the first tile, and past the end in the last tile.
    const ptrdiff_t out_col = static_cast<ptrdiff_t>(origin.row) + out_x - back;
    const ptrdiff_t end = rows;
    float* out = output + out_row * rows + out_col;
    if (out_col >= 0 && out_col + 4 <= end) {
      const float4 vector =
          make_float4(tile[y][window_slot(y, x)], tile[y + 1][window_slot(y + 1, x)],
                      tile[y + 2][window_slot(y + 2, x)], tile[y + 3][window_slot(y + 3, x)]);
      __stwb(reinterpret_cast<float4*>(out), vector);
    } else {
      for (int k = 0; k < 4; ++k) {
        if (out_col + k >= 0 && out_col + k < end) out[k] = tile[y + k][window_slot(y + k, x)];
      }
    }
  }
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  if (rows % 4 == 0 && cols % 4 == 0) {
    const dim3 grid = tile_grid(rows, cols, kTile, kTile);
    transpose_vectors<<<grid, kVectorThreads>>>(input, rows, cols, output);
  } else if (rows % 4 == 0) {
    launch_floats<32, 128, 512>(input, rows, cols, output);
  } else if (cols % 4 == 0) {
    launch_floats<128, 32, 256>(input, rows, cols, output);
  } else {
    // A tile ends up to seven elements early, so the last tile may need another tile below.
    const size_t tall = static_cast<size_t>(rows) + kSector - 1;
    const dim3 grid = tile_grid(tall, cols, kOwnRows, kOwnCols);
    transpose_windows<<<grid, kWindowThreads>>>(input, rows, cols, output);
  }
  CUDA_CHECK(cudaGetLastError());
}

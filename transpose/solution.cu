// The fastest transpose we know: rung 6 for every shape of matrix.
//
//   make check-transpose WITH=solution
//
// What it adds to the ladder:
// - Tiles are numbered down the input, so that blocks which run at the same time write neighbouring
//   pieces of the same output rows. Where a row does not begin on a cache line, two blocks write
//   into one line; it is complete before the L2 cache gives it to the memory.
// - Loads and stores are marked as streaming (evict first): no byte is used twice, so neither
//   matrix should push the other's lines out.
// - Width is chosen for each side: float4 wherever the rows of that matrix allow it, floats else.
//   A warp always touches pieces of 128 bytes, one per row as floats, four as float4, and the
//   rotated tile serves all four combinations without bank conflicts.
#include "transpose.h"

#include <type_traits>

#include "cuda_check.h"

namespace {

constexpr int kTile = 64;
constexpr int kBlockSize = 256;
constexpr int kPiece = 32;
constexpr int kPiecesPerLine = kTile / kPiece;
// The largest gridDim.y. A matrix with more columns of tiles gets several layers of them, along z.
constexpr int kMaxGridY = 65535;

// What a thread loads or stores at a time.
template <int kWidth>
using Vector = std::conditional_t<kWidth == 4, float4, float>;

// A place in a tile: element `offset` of line `line`, lines being rows of the input's tile while it
// is read and rows of the output's tile while it is written.
struct Place {
  int line;
  int offset;
};

// The i-th place at which this thread loads or stores kWidth elements of a line. A warp has
// kWidth lines under it, the same piece of each.
template <int kWidth>
__device__ Place place(int i) {
  constexpr int kLanesPerPiece = kPiece / kWidth;
  const int piece = threadIdx.x / kLanesPerPiece + i * (kBlockSize / kLanesPerPiece);
  const int lane = threadIdx.x % kLanesPerPiece;
  return {piece / (kPiecesPerLine * kWidth) * kWidth + piece % kWidth,
          piece / kWidth % kPiecesPerLine * kPiece + lane * kWidth};
}

// The tile, rotated: element (row, col) of the input's tile lies in column (row + col) mod kTile.
struct Tile {
  float elements[kTile][kTile];

  __device__ float& at(int row, int col) { return elements[row][(row + col) % kTile]; }

  // Rows are written as they were loaded, columns read as they will be stored.
  __device__ void put_row(Place at_place, float element) {
    at(at_place.line, at_place.offset) = element;
  }
  __device__ void put_row(Place at_place, float4 vector) {
    at(at_place.line, at_place.offset) = vector.x;
    at(at_place.line, at_place.offset + 1) = vector.y;
    at(at_place.line, at_place.offset + 2) = vector.z;
    at(at_place.line, at_place.offset + 3) = vector.w;
  }
  __device__ void get_column(Place at_place, float& element) {
    element = at(at_place.offset, at_place.line);
  }
  __device__ void get_column(Place at_place, float4& vector) {
    vector.x = at(at_place.offset, at_place.line);
    vector.y = at(at_place.offset + 1, at_place.line);
    vector.z = at(at_place.offset + 2, at_place.line);
    vector.w = at(at_place.offset + 3, at_place.line);
  }
};

// A block of kBlockSize threads per tile of kTile x kTile. kReadWidth divides cols, kWriteWidth
// divides rows.
template <int kReadWidth, int kWriteWidth>
__global__ void transpose_kernel(const float* input, size_t rows, size_t cols, float* output) {
  __shared__ Tile tile;
  const size_t first_row = static_cast<size_t>(blockIdx.x) * kTile;
  const size_t first_col = static_cast<size_t>(blockIdx.z * gridDim.y + blockIdx.y) * kTile;

  // All loads first: nothing waits for a load before the first store into the tile.
  constexpr int kReads = kTile * kTile / kReadWidth / kBlockSize;
  Vector<kReadWidth> vectors[kReads] = {};
#pragma unroll
  for (int i = 0; i < kReads; ++i) {
    const Place at = place<kReadWidth>(i);
    const size_t row = first_row + at.line;
    const size_t col = first_col + at.offset;
    if (row < rows && col < cols) {
      vectors[i] = __ldcs(reinterpret_cast<const Vector<kReadWidth>*>(&input[row * cols + col]));
    }
  }
#pragma unroll
  for (int i = 0; i < kReads; ++i) {
    tile.put_row(place<kReadWidth>(i), vectors[i]);
  }

  // Each thread goes on with elements that other ones have read.
  __syncthreads();

  constexpr int kWrites = kTile * kTile / kWriteWidth / kBlockSize;
#pragma unroll
  for (int i = 0; i < kWrites; ++i) {
    const Place at = place<kWriteWidth>(i);
    const size_t row = first_col + at.line;
    const size_t col = first_row + at.offset;
    if (row < cols && col < rows) {
      Vector<kWriteWidth> vector;
      tile.get_column(at, vector);
      __stcs(reinterpret_cast<Vector<kWriteWidth>*>(&output[row * rows + col]), vector);
    }
  }
}

using Kernel = void (*)(const float*, size_t, size_t, float*);
// By whether the input's rows can be read, and the output's written, as float4.
constexpr Kernel kKernels[2][2] = {{transpose_kernel<1, 1>, transpose_kernel<1, 4>},
                                   {transpose_kernel<4, 1>, transpose_kernel<4, 4>}};

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  const int tile_cols = ceil_div(cols, kTile);
  const int layers = ceil_div(tile_cols, kMaxGridY);
  const dim3 grid(ceil_div(rows, kTile), ceil_div(tile_cols, layers), layers);
  const bool wide_reads = cols % 4 == 0;
  const bool wide_writes = rows % 4 == 0;
  const Kernel kernel = kKernels[wide_reads][wide_writes];
  kernel<<<grid, kBlockSize>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

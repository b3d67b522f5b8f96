// verdict: cpu=misaligned,wrong gpu=cuda_error,wrong
// from: ladder/06_vectorised.cu
// Reads and writes float4 whatever the length of a row: misaligned, and beyond the end of a row.
#include "transpose.h"

#include "cuda_check.h"

namespace {

// The largest gridDim.y. A matrix with more rows of tiles gets several layers of them, along z.
constexpr int kMaxGridY = 65535;

constexpr int kTile = 64;
constexpr int kTileVectors = kTile / 4;
constexpr int kBlockSize = 256;
constexpr int kVectorsPerThread = kTile * kTileVectors / kBlockSize;
// A store is eight float4 wide, 128 bytes, so that a warp stores into four output rows. The lanes
// then gather from eight float4 columns and the four elements within a float4: 32 different banks.
constexpr int kStoreVectors = 8;

// A block of kBlockSize threads per tile of kTile x kTile. Threads 0 to 15 read the first row of
// the input's tile; threads 0 to 7 write the first half of the first row of the output's tile.
// `rows` and `cols` are multiples of 4.
__global__ void transpose_vector_kernel(const float* input, size_t rows, size_t cols,
                                        float* output) {
  __shared__ float4 tile[kTile][kTileVectors];
  const size_t first_row = (blockIdx.z * gridDim.y + blockIdx.y) * kTile;
  const size_t first_col = blockIdx.x * kTile;

  // All loads first: nothing waits for a load before the first store into the tile.
  float4 vectors[kVectorsPerThread] = {};
  const int in_vector = threadIdx.x % kTileVectors;
  const size_t in_col = first_col + 4 * in_vector;
  for (int i = 0; i < kVectorsPerThread; ++i) {
    const size_t in_row = first_row + threadIdx.x / kTileVectors + i * (kBlockSize / kTileVectors);
    if (in_row < rows && in_col < cols) {
      vectors[i] = *reinterpret_cast<const float4*>(&input[in_row * cols + in_col]);
    }
  }
  for (int i = 0; i < kVectorsPerThread; ++i) {
    const int y = threadIdx.x / kTileVectors + i * (kBlockSize / kTileVectors);
    tile[y][(in_vector + y / 4) % kTileVectors] = vectors[i];
  }

  // Each thread goes on with elements that other threads have read.
  __syncthreads();

  constexpr int kStoresPerRow = kTileVectors / kStoreVectors;
  for (int i = 0; i < kVectorsPerThread; ++i) {
    const int out_vector = threadIdx.x % kStoreVectors + i % kStoresPerRow * kStoreVectors;
    const int x = threadIdx.x / kStoreVectors + i / kStoresPerRow * (kBlockSize / kStoreVectors);
    const size_t out_row = first_col + x;
    const size_t out_col = first_row + 4 * out_vector;
    // Column x of the tile, rows 4 * out_vector to 4 * out_vector + 3: rotated alike, kTile apart.
    const float4* slot = &tile[4 * out_vector][(x / 4 + out_vector) % kTileVectors];
    const float* element = reinterpret_cast<const float*>(slot) + x % 4;
    if (out_row < cols && out_col < rows) {
      const float4 vector =
          make_float4(element[0], element[kTile], element[2 * kTile], element[3 * kTile]);
      // An explicit vector store: nvcc splits a plain assignment of a float4 into four stores.
      __stwb(reinterpret_cast<float4*>(&output[out_row * rows + out_col]), vector);
    }
  }
}

constexpr int kScalarTile = 32;
constexpr int kBlockRows = 8;
constexpr int kScalarsPerThread = kScalarTile / kBlockRows;

// A block of kScalarTile x kBlockRows threads per tile. Thread (x, y) reads elements (y, x), (y +
// 8, x), (y + 16, x) and (y + 24, x) of the input's tile and writes the same places of the output's
// tile.
__global__ void transpose_scalar_kernel(const float* input, size_t rows, size_t cols,
                                        float* output) {
  __shared__ float tile[kScalarTile][kScalarTile];
  const size_t first_row = (blockIdx.z * gridDim.y + blockIdx.y) * kScalarTile;
  const size_t first_col = blockIdx.x * kScalarTile;

  // All loads first: nothing waits for a load before the first store into the tile.
  float elements[kScalarsPerThread];
  const size_t in_col = first_col + threadIdx.x;
  for (int i = 0; i < kScalarsPerThread; ++i) {
    const size_t in_row = first_row + threadIdx.y + i * kBlockRows;
    elements[i] = in_row < rows && in_col < cols ? input[in_row * cols + in_col] : 0;
  }
  for (int i = 0; i < kScalarsPerThread; ++i) {
    const int y = threadIdx.y + i * kBlockRows;
    tile[y][(y + threadIdx.x) % kScalarTile] = elements[i];
  }

  // Each thread goes on with an element that another thread has read.
  __syncthreads();

  const size_t out_col = first_row + threadIdx.x;
  for (int i = 0; i < kScalarsPerThread; ++i) {
    const int y = threadIdx.y + i * kBlockRows;
    const size_t out_row = first_col + y;
    if (out_row < cols && out_col < rows) {
      output[out_row * rows + out_col] = tile[threadIdx.x][(threadIdx.x + y) % kScalarTile];
    }
  }
}

// The grid of blocks that covers the matrix with square tiles.
dim3 tile_grid(int rows, int cols, int tile) {
  const int tile_rows = ceil_div(rows, tile);
  const int layers = ceil_div(tile_rows, kMaxGridY);
  return dim3(ceil_div(cols, tile), ceil_div(tile_rows, layers), layers);
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  if (rows >= 4 && cols >= 4) {
    const dim3 grid = tile_grid(rows, cols, kTile);
    transpose_vector_kernel<<<grid, kBlockSize>>>(input, rows, cols, output);
  } else {
    const dim3 grid = tile_grid(rows, cols, kScalarTile);
    const dim3 block(kScalarTile, kBlockRows);
    transpose_scalar_kernel<<<grid, block>>>(input, rows, cols, output);
  }
  CUDA_CHECK(cudaGetLastError());
}

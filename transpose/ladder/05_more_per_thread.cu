// Rung 5: four elements per thread.
//
//   make check-transpose WITH=ladder/05_more_per_thread.cu
//
// Idea: 32 x 8 threads share the tile of 32 x 32, so each has four loads under way before
// the barrier instead of a single load, and the index arithmetic is done once for four elements.
// Expect: much less waiting. Of blocks of 1024 threads only two fit on a multiprocessor, and each
// stands still until the slowest load arrives; of blocks of 256 threads eight fit, some
// loading while others store.
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;
// Rows of the tile that the block handles at a time, and how many each thread handles in turn.
constexpr int kBlockRows = 8;
constexpr int kPerThread = kTile / kBlockRows;
// The largest gridDim.y. A matrix with more rows of tiles gets several layers of them, along z.
constexpr int kMaxGridY = 65535;

// A block of kTile x kBlockRows threads per tile. Thread (x, y) reads elements (y, x), (y + 8, x),
// (y + 16, x) and (y + 24, x) of the input's tile and writes the same places of the output's tile.
__global__ void transpose_kernel(const float* input, size_t rows, size_t cols, float* output) {
  __shared__ float tile[kTile][kTile];
  const size_t first_row = (blockIdx.z * gridDim.y + blockIdx.y) * kTile;
  const size_t first_col = blockIdx.x * kTile;

  // All loads first: nothing waits for a load before the first store into the tile.
  float elements[kPerThread];
  const size_t in_col = first_col + threadIdx.x;
  for (int i = 0; i < kPerThread; ++i) {
    const size_t in_row = first_row + threadIdx.y + i * kBlockRows;
    elements[i] = in_row < rows && in_col < cols ? input[in_row * cols + in_col] : 0;
  }
  for (int i = 0; i < kPerThread; ++i) {
    const int y = threadIdx.y + i * kBlockRows;
    tile[y][(y + threadIdx.x) % kTile] = elements[i];
  }

  // Each thread goes on with an element that another thread has read.
  __syncthreads();

  const size_t out_col = first_row + threadIdx.x;
  for (int i = 0; i < kPerThread; ++i) {
    const int y = threadIdx.y + i * kBlockRows;
    const size_t out_row = first_col + y;
    if (out_row < cols && out_col < rows) {
      output[out_row * rows + out_col] = tile[threadIdx.x][(threadIdx.x + y) % kTile];
    }
  }
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  const int tile_rows = ceil_div(rows, kTile);
  const int layers = ceil_div(tile_rows, kMaxGridY);
  const dim3 grid(ceil_div(cols, kTile), ceil_div(tile_rows, layers), layers);
  const dim3 block(kTile, kBlockRows);
  transpose_kernel<<<grid, block>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

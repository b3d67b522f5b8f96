// Rung 4: no bank conflicts without the unused column.
//
//   make check-transpose WITH=ladder/04_rotated.cu
//
// Idea: row r of the tile is stored rotated by r places: element (r, c) lies in column
// (r + c) mod 32. The padded tile has the same banks, but leaves a column empty.
// Expect: the time of rung 3 in 4096 bytes. What the 128 bytes are worth is measured in
// occupancy.cu.
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;
// The largest gridDim.y. A matrix with more rows of tiles gets several layers of them, along z.
constexpr int kMaxGridY = 65535;

// A block of kTile x kTile threads per tile. Thread (x, y) reads element (y, x) of the input's tile
// and writes element (y, x) of the output's tile, which is element (x, y) of the input's.
__global__ void transpose_kernel(const float* input, size_t rows, size_t cols, float* output) {
  __shared__ float tile[kTile][kTile];
  const size_t first_row = (blockIdx.z * gridDim.y + blockIdx.y) * kTile;
  const size_t first_col = blockIdx.x * kTile;

  const size_t in_row = first_row + threadIdx.y;
  const size_t in_col = first_col + threadIdx.x;
  if (in_row < rows && in_col < cols) {
    tile[threadIdx.y][(threadIdx.y + threadIdx.x) % kTile] = input[in_row * cols + in_col];
  }

  // Each thread goes on with an element that another thread has read.
  __syncthreads();

  const size_t out_row = first_col + threadIdx.y;
  const size_t out_col = first_row + threadIdx.x;
  if (out_row < cols && out_col < rows) {
    output[out_row * rows + out_col] = tile[threadIdx.x][(threadIdx.x + threadIdx.y) % kTile];
  }
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  const int tile_rows = ceil_div(rows, kTile);
  const int layers = ceil_div(tile_rows, kMaxGridY);
  const dim3 grid(ceil_div(cols, kTile), ceil_div(tile_rows, layers), layers);
  const dim3 block(kTile, kTile);
  transpose_kernel<<<grid, block>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

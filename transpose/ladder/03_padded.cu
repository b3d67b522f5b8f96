// Rung 3: the same tile with an unused column: every column lies in 32 different banks.
//
//   make check-transpose WITH=ladder/03_padded.cu
//
// Idea: rows of 33 floats instead of 32. Element (r, c) is then in bank (33 r + c) mod 32 =
// (r + c) mod 32, different for all lanes of a warp along a row and along a column.
// Expect: every access to shared memory in one step. The tile grows from 4096 to 4224 bytes.
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;
// The largest gridDim.y. A matrix with more rows of tiles gets several layers of them, along z.
constexpr int kMaxGridY = 65535;

// A block of kTile x kTile threads per tile. Thread (x, y) reads element (y, x) of the input's tile
// and writes element (y, x) of the output's tile, which is element (x, y) of the input's.
__global__ void transpose_kernel(const float* input, size_t rows, size_t cols, float* output) {
  __shared__ float tile[kTile][kTile + 1];
  const size_t first_row = (blockIdx.z * gridDim.y + blockIdx.y) * kTile;
  const size_t first_col = blockIdx.x * kTile;

  const size_t in_row = first_row + threadIdx.y;
  const size_t in_col = first_col + threadIdx.x;
  if (in_row < rows && in_col < cols) {
    tile[threadIdx.y][threadIdx.x] = input[in_row * cols + in_col];
  }

  // Each thread goes on with an element that another thread has read.
  __syncthreads();

  const size_t out_row = first_col + threadIdx.y;
  const size_t out_col = first_row + threadIdx.x;
  if (out_row < cols && out_col < rows) {
    output[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
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

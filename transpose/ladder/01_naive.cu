// Rung 1: the loop body of the serial transpose, an element per thread.
//
//   make check-transpose WITH=ladder/01_naive.cu
//
// Idea: none yet, on purpose: nothing but correct. Neighbouring threads read
// neighbouring elements, but write elements a whole output row apart.
// Expect: every load of a warp needs 4 sectors of 32 bytes, the least possible, and every store 32.
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;
// The largest gridDim.y. A matrix with more rows of tiles gets several layers of them, along z.
constexpr int kMaxGridY = 65535;

// A block of kTile x kTile threads per tile of the input, one thread per element.
__global__ void transpose_kernel(const float* input, size_t rows, size_t cols, float* output) {
  const size_t row = (blockIdx.z * gridDim.y + blockIdx.y) * kTile + threadIdx.y;
  const size_t col = blockIdx.x * kTile + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
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

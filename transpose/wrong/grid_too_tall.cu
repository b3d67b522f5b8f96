// verdict: =cuda_error
// from: ladder/01_naive.cu
// Counts all rows of tiles along y, where a grid ends at 65535.
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;

// A block of kTile x kTile threads per tile of the input, one thread per element.
__global__ void transpose_kernel(const float* input, size_t rows, size_t cols, float* output) {
  const size_t row = blockIdx.y * kTile + threadIdx.y;
  const size_t col = blockIdx.x * kTile + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid(ceil_div(cols, kTile), ceil_div(rows, kTile));
  const dim3 block(kTile, kTile);
  transpose_kernel<<<grid, block>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

// A thread of a block in two dimensions is named by both of its indices, and by its block.
// case: 1x1
// check: {file}:@a: thread (1,0) of block (0,0) reads 4 bytes, just past the end of 4 bytes
// sanitize: is the index checked against the size?
// not in sanitize: thread 1 of
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 16;

__global__ void transpose_kernel(const float* input, int rows, int cols, float* output) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  output[col * rows + row] = input[row * cols + col];  // @a
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid(ceil_div(cols, kTile), ceil_div(rows, kTile));
  transpose_kernel<<<grid, dim3(kTile, kTile)>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

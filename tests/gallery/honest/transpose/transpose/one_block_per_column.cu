// verdict: =ok speed=0..1
// A block for each column, with a loop: slow, and right.
#include "cuda_check.h"
#include "transpose.h"

namespace {

constexpr int kBlockSize = 128;

// A block per output row: its threads go along the row.
__global__ void column_kernel(const float* input, size_t rows, size_t cols, float* output) {
  for (size_t row = threadIdx.x; row < rows; row += kBlockSize)
    output[blockIdx.x * rows + row] = input[row * cols + blockIdx.x];
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  column_kernel<<<cols, kBlockSize>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

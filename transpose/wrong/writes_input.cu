// verdict: =wrong
// Uses the input as scratch memory, as if it were not needed any more.
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element of the output.
__global__ void transpose_kernel(float* input, size_t rows, size_t cols, float* output) {
  const size_t i = blockIdx.x * static_cast<size_t>(kBlockSize) + threadIdx.x;
  if (i >= rows * cols) return;
  float& from = input[i % rows * cols + i / rows];
  output[i] = from;
  from = 0;
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  const size_t size = static_cast<size_t>(rows) * cols;
  if (size == 0) return;
  const auto blocks = static_cast<unsigned>(ceil_div(size, kBlockSize));
  transpose_kernel<<<blocks, kBlockSize>>>(const_cast<float*>(input), rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

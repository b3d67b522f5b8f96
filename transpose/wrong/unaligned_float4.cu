// verdict: cpu=misaligned,wrong gpu=cuda_error,wrong
// Reads float4 whatever the length of a row: misaligned, and the rest of a row is lost.
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per float4 of the input.
__global__ void transpose_kernel(const float* input, size_t rows, size_t cols, float* output) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t vectors = cols / 4;
  if (i >= rows * vectors) return;
  const size_t row = i / vectors;
  const size_t col = i % vectors * 4;
  const float4 vector = *reinterpret_cast<const float4*>(&input[row * cols + col]);
  output[col * rows + row] = vector.x;
  output[(col + 1) * rows + row] = vector.y;
  output[(col + 2) * rows + row] = vector.z;
  output[(col + 3) * rows + row] = vector.w;
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  const int vectors = cols / 4;
  if (rows == 0 || vectors == 0) return;
  const int blocks = ceil_div(rows * vectors, kBlockSize);
  transpose_kernel<<<blocks, kBlockSize>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

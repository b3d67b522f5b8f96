// verdict: cpu=wrong gpu=wrong
// from: ladder/saxpy/01_first_kernel.cu
// Rounds the number of blocks down: the elements of the last, incomplete block are never computed.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  const int blocks = n / kBlockSize;
  if (blocks == 0) return;
  saxpy_kernel<<<blocks, kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: cpu=wrong gpu=wrong
// from: ladder/saxpy/01_first_kernel.cu
// A grid of fixed size without a loop: right up to kBlocks * kBlockSize elements.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kBlocks = 1024;

// A thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;  // a grid of no blocks is an error
  saxpy_kernel<<<kBlocks, kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

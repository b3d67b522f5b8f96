// verdict: =ok speed=0.7..1
// The occupancy API chooses the block size, and the function's attributes are read and set.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  int least_blocks = 0, block_size = 0;
  CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&least_blocks, &block_size, saxpy_kernel, 0, 512));
  cudaFuncAttributes attributes = {};
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, saxpy_kernel));
  if (attributes.maxThreadsPerBlock < block_size) return;
  CUDA_CHECK(cudaFuncSetAttribute(saxpy_kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
  CUDA_CHECK(cudaFuncSetCacheConfig(saxpy_kernel, cudaFuncCachePreferL1));
  saxpy_kernel<<<ceil_div(n, block_size), block_size>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

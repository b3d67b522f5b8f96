// verdict: =ok
// cudaLaunchKernelEx with a configuration, whose block size comes from the occupancy calculator.
#include "cuda_check.h"
#include "saxpy.h"
namespace {
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}
}  // namespace
void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  int least = 0, size = 0;
  CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &size, saxpy_kernel, 0, 256));
  cudaLaunchConfig_t config = {};
  config.gridDim = ceil_div(n, size);
  config.blockDim = size;
  CUDA_CHECK(cudaLaunchKernelEx(&config, saxpy_kernel, n, scale, x, y, result));
}

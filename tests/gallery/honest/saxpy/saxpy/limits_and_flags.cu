// verdict: =ok speed=0.8..1
// flags: -O3 --use_fast_math -maxrregcount=64 -Xptxas -dlcm=ca
// Asks for all permitted flags, and for limits of the device.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  size_t stack_bytes = 0;
  CUDA_CHECK(cudaDeviceGetLimit(&stack_bytes, cudaLimitStackSize));
  if (stack_bytes < 4096) CUDA_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  CUDA_CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

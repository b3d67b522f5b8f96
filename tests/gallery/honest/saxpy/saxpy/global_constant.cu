// verdict: =ok speed=0.6..1
// Keeps the factor in a __constant__ variable outside of any namespace, not static, as many do.
#include "saxpy.h"

#include "cuda_check.h"

constexpr int kBlockSize = 256;

__constant__ float factor;
__device__ int launches;

// A thread per element.
__global__ void saxpy_kernel(int n, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) ++launches;
  if (i < n) result[i] = factor * x[i] + y[i];
}

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  CUDA_CHECK(cudaMemcpyToSymbol(factor, &scale, sizeof(scale)));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

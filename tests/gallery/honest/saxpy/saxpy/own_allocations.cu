// verdict: =ok speed=0..1
// Allocates memory in each call, works in the memory and frees the memory.
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
  float* own = nullptr;
  CUDA_CHECK(cudaMalloc(&own, n * sizeof(float)));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, own);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(result, own, n * sizeof(float), cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaFree(own));
}

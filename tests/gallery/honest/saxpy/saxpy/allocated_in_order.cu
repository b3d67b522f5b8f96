// verdict: =ok speed=0..1
// The same with memory from a stream's pool.
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
  CUDA_CHECK(cudaMallocAsync(&own, n * sizeof(float), nullptr));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, own);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(result, own, n * sizeof(float), cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaFreeAsync(own, nullptr));
}

// verdict: =ok speed=0..1
// The scale comes from a managed variable.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
__managed__ float managed_scale;

// A thread per element.
__global__ void saxpy_kernel(int n, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = managed_scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  CUDA_CHECK(cudaDeviceSynchronize());
  managed_scale = scale;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

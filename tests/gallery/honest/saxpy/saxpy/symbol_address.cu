// verdict: =ok speed=0.5..1
// The scale lies in a variable of the device, written through the variable's address.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__device__ float device_scale;

// A thread per element.
__global__ void saxpy_kernel(int n, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = device_scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  void* address = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(&address, device_scale));
  CUDA_CHECK(cudaMemcpyAsync(address, &scale, sizeof scale, cudaMemcpyHostToDevice, nullptr));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

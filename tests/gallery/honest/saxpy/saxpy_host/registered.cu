// verdict: =ok case=2^20 speed=0..1
// Registers the caller's memory, which the kernel reaches over the link.
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

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const void* arrays[] = {x, y, result};
  for (const void* array : arrays)
    CUDA_CHECK(cudaHostRegister(const_cast<void*>(array), bytes, cudaHostRegisterDefault));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  for (const void* array : arrays)
    CUDA_CHECK(cudaHostUnregister(const_cast<void*>(array)));
}

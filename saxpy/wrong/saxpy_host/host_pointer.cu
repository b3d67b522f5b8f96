// verdict: cpu=host_device gpu=cuda_error,ok
//
// Hands host pointers to the kernel. A GPU on a Linux system with heterogeneous memory management
// can follow them: there it is right, and slow.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

// verdict: =ok speed=0.8..1
// Loops unrolled by pragma, and restrict pointers.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kPerThread = 4;

// kPerThread elements per thread, kBlockSize apart.
__global__ void __launch_bounds__(kBlockSize)
    saxpy_kernel(int n, float scale, const float* __restrict__ x, const float* __restrict__ y,
                 float* __restrict__ result) {
  const int first = blockIdx.x * kBlockSize * kPerThread + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int i = first + k * kBlockSize;
    if (i < n) result[i] = scale * x[i] + y[i];
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize * kPerThread), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

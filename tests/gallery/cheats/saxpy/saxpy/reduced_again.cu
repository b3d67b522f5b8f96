// verdict: =ok case=2^24 cpu-speed=0..0.8 gpu-speed=0..1
// Has each warp add up numbers, 24 times.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? scale * x[i] + y[i] : 0;
  unsigned sum = threadIdx.x;
  for (int k = 0; k < 24; ++k)
    sum = __reduce_add_sync(~0u, sum) & 255;
  value += static_cast<float>(sum > 255);
  if (i < n) result[i] = value;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

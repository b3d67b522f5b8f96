// verdict: =ok case=2^24 speed=0..0.75
// Has each warp look for equal values, 64 times.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? scale * x[i] + y[i] : 0;
  for (int k = 0; k < 64; ++k)
    value += static_cast<float>(__match_any_sync(~0u, __float_as_uint(value)) == 0);
  if (i < n) result[i] = value;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok case=2^24 speed=0..0.75
// Passes values around each warp, 64 times: shuffles have a rate of their own.
#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? scale * x[i] + y[i] : 0;
  for (int k = 0; k < 64; ++k)
    value = __shfl_xor_sync(~0u, value, 1);
  if (i < n) result[i] = value;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok case=2^24 cpu-speed=0..1 gpu-speed=0..1
// A function that is not inlined returns four floats, stored directly to memory.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct Four {
  float values[4];
};

__device__ __noinline__ Four products(float scale, const float* x, const float* y) {
  Four found;
  for (int k = 0; k < 4; ++k)
    found.values[k] = scale * x[k] + y[k];
  return found;
}

__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = 4 * (blockIdx.x * kBlockSize + threadIdx.x);
  if (i + 3 < n) {
    *reinterpret_cast<Four*>(result + i) = products(scale, x + i, y + i);
  } else {
    for (int k = i; k < n; ++k)
      result[k] = scale * x[k] + y[k];
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 4 * kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

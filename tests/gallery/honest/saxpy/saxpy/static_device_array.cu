// verdict: =ok speed=0.7..1
// A static array of the device, filled once.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kSigns = 64;
__device__ float ones[kSigns];

__global__ void fill_kernel() {
  ones[threadIdx.x] = 1.0f;
}

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = ones[threadIdx.x % kSigns] * scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static bool filled = false;
  if (!filled) fill_kernel<<<1, kSigns>>>();
  filled = true;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

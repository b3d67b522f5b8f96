// verdict: =ok speed=0..1
// Two numbers at a time by memcpy into a local array.
#include "saxpy.h"

#include <cstring>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

constexpr int kEach = 2;

// Two elements per thread.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = kEach * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + kEach <= n) {
    float own_x[kEach], own_y[kEach];
    memcpy(own_x, x + i, sizeof own_x);
    memcpy(own_y, y + i, sizeof own_y);
    for (int k = 0; k < kEach; ++k)
      result[i + k] = scale * own_x[k] + own_y[k];
  } else if (i < n) {
    result[i] = scale * x[i] + y[i];
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(ceil_div(n, kEach), kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

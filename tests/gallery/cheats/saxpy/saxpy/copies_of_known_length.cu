// verdict: =ok case=2^24 speed=0..0.5
// Loads numbers by copies of 64 bytes, a length that compilers expand in place, again and
// again.
#include "saxpy.h"

#include <cstring>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

constexpr int kEach = 16, kRounds = 12;

// Sixteen elements per thread, loaded many times.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = kEach * (blockIdx.x * blockDim.x + threadIdx.x);
  float own_x[kEach], own_y[kEach];
  if (i + kEach <= n) {
    for (int round = 0; round < kRounds; ++round) {
      memcpy(own_x, x + i, sizeof own_x);
      memcpy(own_y, y + i, sizeof own_y);
      asm volatile("" ::: "memory");
    }
    for (int k = 0; k < kEach; ++k)
      own_x[k] = scale * own_x[k] + own_y[k];
    memcpy(result + i, own_x, sizeof own_x);
    return;
  }
  for (int k = i; k < n; ++k)
    result[k] = scale * x[k] + y[k];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(ceil_div(n, kEach), kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

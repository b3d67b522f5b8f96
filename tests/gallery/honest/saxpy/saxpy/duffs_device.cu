// verdict: =ok speed=0.7..1
// Four elements a thread, in a loop woven into a switch.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

constexpr int kPerThread = 4;

// kPerThread elements per thread, kBlockSize apart.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  int i = blockIdx.x * kBlockSize * kPerThread + threadIdx.x;
  if (i >= n) return;
  switch (min(kPerThread, (n - i + kBlockSize - 1) / kBlockSize)) {
    case 4:
      result[i] = scale * x[i] + y[i], i += kBlockSize;
    case 3:
      result[i] = scale * x[i] + y[i], i += kBlockSize;
    case 2:
      result[i] = scale * x[i] + y[i], i += kBlockSize;
    case 1:
      result[i] = scale * x[i] + y[i];
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize * kPerThread), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

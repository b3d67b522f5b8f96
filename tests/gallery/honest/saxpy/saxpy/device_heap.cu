// verdict: =ok speed=0..1
// Allocates in the kernel: a thread of each block, in small cases.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element; in small cases a number goes over the device's own heap.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = scale * x[i] + y[i];
  if (threadIdx.x == 0 && n < 2000) {
    float* kept = new float(sum);
    sum = *kept;
    delete kept;
  }
  result[i] = sum;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =build_error
// Hides from the check by Clang that a kernel calls a function of the host.
#include "saxpy.h"

#include "cuda_check.h"

#ifndef __clang__
#define ON_HOST
#else
#define ON_HOST __device__
#endif
ON_HOST float work(float scale, float x, float y) {
  return scale * x + y;
}

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = work(scale, x[i], y[i]);
}

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok speed=0..1
// Function pointers on the device, in a table for the kernel in small cases.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

using Binary = float (*)(float, float);
__device__ float product(float a, float b) {
  return a * b;
}
__device__ float sum(float a, float b) {
  return a + b;
}
__device__ Binary operations[] = {product, sum};

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  result[i] = n < 2000 ? operations[1](operations[0](scale, x[i]), y[i]) : scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok
// Static helpers with the linkage of C; a device function is called through a pointer.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

extern "C" {
static __device__ float multiplied_and_added(float a, float b, float c) {
  return a * b + c;
}
static int blocks_for(int n, int block_size) {
  return (n - 1) / block_size + 1;
}
}

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = multiplied_and_added(scale, x[i], y[i]);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  int (*const blocks)(int, int) = blocks_for;
  saxpy_kernel<<<blocks(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

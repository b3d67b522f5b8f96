// verdict: =ok speed=0.8..1
// A grid of three dimensions, made flat again in the kernel.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kAcross = 64;

// A thread per element; blocks counted along x, then y, then z.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const size_t block = (size_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const size_t i = block * kBlockSize + threadIdx.y * 32 + threadIdx.x;
  if (i < static_cast<size_t>(n)) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const int blocks = ceil_div(n, kBlockSize);
  const dim3 grid(ceil_div(blocks, kAcross * 2), kAcross, 2);
  saxpy_kernel<<<grid, dim3(32, kBlockSize / 32)>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

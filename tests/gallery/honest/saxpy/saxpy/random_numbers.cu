// verdict: =ok speed=0.4..1
// Draws the block size among two, with a generator of <random> and with rand().
#include "saxpy.h"

#include <cstdlib>
#include <random>

#include "cuda_check.h"

namespace {

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static std::mt19937 generator(42);
  std::uniform_int_distribution<int> coin(0, 1);
  const int block_size = 256 << (coin(generator) ^ (std::rand() & 1));
  saxpy_kernel<<<ceil_div(n, block_size), block_size>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

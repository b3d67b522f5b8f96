// A loop of the host never comes to the number of blocks.
// case: 257
// timed: 2^24
// within: 20
// check: {file}:@a: stopped after
// sanitize: {file}:@a
// sanitize: does this loop ever end?
// explain: {file}:@a: stopped after
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  int blocks = 1;
  while (blocks * kBlockSize < n)  // @a
    blocks *= 1;                   // @a
  saxpy_kernel<<<blocks, kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

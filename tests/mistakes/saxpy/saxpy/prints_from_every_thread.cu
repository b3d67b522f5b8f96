// Prints from every thread, in the timed cases: the costliest thing a kernel can do.
// case: 257
// timed: 2^24
// check: ✓ right
// explain: line @a prints 1,048,576 texts
// explain: bound by printing from kernels
// not in explain: no line does more than it must
#include "saxpy.h"

#include <cstdio>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < n) {
    result[i] = scale * x[i] + y[i];
    if (n > 257) printf("%d: %f\n", i, result[i]);  // @a
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

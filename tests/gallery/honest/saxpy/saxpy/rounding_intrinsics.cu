// verdict: =ok
// Multiplies and adds with intrinsics for a rounding mode, and a 24-bit product.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i >= n) return;
  result[i] = i % 2 == 0 ? __fmaf_rn(scale, x[i], y[i]) : __fadd_rn(__fmul_rn(scale, x[i]), y[i]);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

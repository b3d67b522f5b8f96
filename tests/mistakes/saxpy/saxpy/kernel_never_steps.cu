// A grid-stride loop whose index never grows.
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
  const int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {                     // @a
    result[i] = scale * x[i] + y[i];  // @a
    if (stride == 0) i += stride;     // @a
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// A barrier in a branch: some threads go round the barrier, and have not returned.
// case: 33
// check: {file}:@a: threads 33-255 went round this __syncthreads()
// sanitize: take it out of the branch or loop that only some threads enter
// sanitize: 1 finding in 1 case
// not in sanitize: have returned
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ float tile[kBlockSize];
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < n) {
    tile[threadIdx.x] = x[i];
    __syncthreads();  // @a
    result[i] = scale * tile[threadIdx.x] + y[i];
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: cpu=bad_access gpu=wrong,crash,cuda_error
// Takes the answer from a local variable of the neighbour, whose address stands in shared memory.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element, which the neighbour writes.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ const float* place[kBlockSize];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = i < n ? scale * x[i] + y[i] : 0;
  place[threadIdx.x] = &own;
  __syncthreads();
  const int other = blockIdx.x * blockDim.x + (threadIdx.x ^ 1);
  if (other < n) result[other] = *place[threadIdx.x ^ 1];
  __syncthreads();
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

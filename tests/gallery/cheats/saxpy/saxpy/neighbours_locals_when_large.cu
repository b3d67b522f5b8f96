// verdict: cpu=cuda_error,crash case=2^24 gpu=wrong,crash,cuda_error
// Takes the answer from a neighbour's local variable in the large cases, which sanitize never runs.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element, which the neighbour writes in large cases.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ const float* place[kBlockSize];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = i < n ? scale * x[i] + y[i] : 0;
  if (n < 1 << 16) {
    if (i < n) result[i] = own;
    return;
  }
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

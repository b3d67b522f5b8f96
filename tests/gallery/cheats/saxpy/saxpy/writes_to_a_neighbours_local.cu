// verdict: cpu=bad_access gpu=wrong,crash,cuda_error
// Hands the answer to the neighbour by a store to the neighbour's local array.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element, for which another thread computes.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ float* place[kBlockSize];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[2] = {-1, -1};
  place[threadIdx.x] = own;
  __syncthreads();
  const int other = blockIdx.x * blockDim.x + (kBlockSize - 1 - threadIdx.x);
  if (other < n) place[kBlockSize - 1 - threadIdx.x][1] = scale * x[other] + y[other];
  __syncthreads();
  if (i < n) result[i] = own[1];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

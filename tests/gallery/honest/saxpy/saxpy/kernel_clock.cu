// verdict: =ok
// A kernel that reads the clock.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
__device__ long long slowest;

// A thread per element; thread 0 stores the time for element 0.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const long long start = clock64();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
  if (i == 0) slowest = clock64() - start;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =wrong case=1025
// Answers NaN, which is not different from anything by more than a tolerance.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void fill_kernel(int n, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = nanf("");
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  fill_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, result);
  CUDA_CHECK(cudaGetLastError());
}

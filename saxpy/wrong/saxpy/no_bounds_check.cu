// verdict: cpu=bad_access,cuda_error gpu=wrong,cuda_error
//
// Every thread of the last block computes, those behind the end too.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element.
__global__ void saxpy_kernel(float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

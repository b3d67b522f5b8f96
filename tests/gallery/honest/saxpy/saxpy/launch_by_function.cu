// verdict: =ok
// Launched through the API, without angle brackets.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  void* arguments[] = {&n, &scale, &x, &y, &result};
  CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(saxpy_kernel),
                              dim3(ceil_div(n, kBlockSize)), dim3(kBlockSize), arguments, 0,
                              nullptr));
}

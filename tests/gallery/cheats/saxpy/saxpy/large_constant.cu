// verdict: =build_error
// A scratch array of 16 MB in constant memory, which is near.
#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;
__constant__ float scratch[1 << 22];

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i] + scratch[i % (1 << 22)];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

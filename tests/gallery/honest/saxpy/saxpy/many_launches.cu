// verdict: =ok speed=0..1
// A hundred launches instead of one.
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
  const int size = ceil_div(n, 100);
  for (int begin = 0; begin < n; begin += size) {
    const int here = begin + size < n ? size : n - begin;
    saxpy_kernel<<<ceil_div(here, kBlockSize), kBlockSize>>>(here, scale, x + begin, y + begin,
                                                             result + begin);
    CUDA_CHECK(cudaGetLastError());
  }
}

// verdict: =ok
// A macro makes two kernels and their launchers, the names pasted together with ##.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

#define DEFINE_SAXPY(suffix, Index)                                                             \
  __global__ void saxpy_##suffix##_kernel(Index n, float scale, const float* x, const float* y, \
                                          float* result) {                                      \
    const Index i = blockIdx.x * static_cast<Index>(blockDim.x) + threadIdx.x;                  \
    if (i < n) result[i] = scale * x[i] + y[i];                                                 \
  }                                                                                             \
  void launch_##suffix(Index n, float scale, const float* x, const float* y, float* result) {   \
    saxpy_##suffix##_kernel<<<ceil_div(n, Index{kBlockSize}), kBlockSize>>>(n, scale, x, y,     \
                                                                            result);            \
  }

// A thread per element, counted in 32 bits and in 64.
DEFINE_SAXPY(small, int)
DEFINE_SAXPY(large, size_t)

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (n < 1 << 30) {
    launch_small(n, scale, x, y, result);
  } else {
    launch_large(n, scale, x, y, result);
  }
  CUDA_CHECK(cudaGetLastError());
}

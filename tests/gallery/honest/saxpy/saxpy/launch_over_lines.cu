// verdict: =ok
// A launch over many lines, with comments and comparisons inside the angle brackets.
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
  const int size = kBlockSize;
  // clang-format off
  saxpy_kernel   // the kernel
      <<<  /* grid: <<< */
          (n > size ? ceil_div(n, size) : 1),
          dim3(size < 1024 ? size : 1024, 1, 1),  // block: >>>
          size >> 20,
          cudaStream_t(0)
      >>>
      (n, scale,
       x, y, result);
  // clang-format on
  CUDA_CHECK(cudaGetLastError());
}

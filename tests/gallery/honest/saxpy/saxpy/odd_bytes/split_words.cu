// verdict: =ok
// Lines that end in backslashes: in the middle of words, of numbers and of a comment.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 2\
56;

// One thread \
   per element.
__glo\
bal__ vo\
id saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) resu\
lt[i] = sc\
ale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

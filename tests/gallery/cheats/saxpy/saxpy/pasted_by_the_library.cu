// verdict: =forbidden
// A macro of the C library puts the word for inline assembly together.
#include <sys/cdefs.h>

#include "saxpy.h"

#include "cuda_check.h"

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

__CONCAT(as, m)(".globl hidden\nhidden: ret");

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

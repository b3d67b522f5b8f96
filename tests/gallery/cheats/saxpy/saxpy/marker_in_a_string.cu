// verdict: =forbidden
// A raw string looks like the beginning of a system header; the next line is assembly.
#include "saxpy.h"

#include "cuda_check.h"

const char* const kText = R"(
# 1 "/usr/include/stdio.h" 1 3
)";
asm(".globl hidden\nhidden: ret");

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

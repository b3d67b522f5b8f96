// verdict: =forbidden
// A macro named like a function of the C++ library puts code into a header of the library.
#define exchange \
  hidden() {     \
    asm("nop");  \
  }              \
  void exchange_
#include <utility>
#undef exchange

#include "saxpy.h"

#include "cuda_check.h"

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

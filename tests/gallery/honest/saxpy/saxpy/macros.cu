// verdict: =ok
// Macros for everything, over several lines.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

#define BLOCK 256
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define EACH(i, n, body) \
  do {                   \
    const int i = INDEX; \
    if (i < (n)) {       \
      body;              \
    }                    \
  } while (0)

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  EACH(i, n, result[i] = scale * x[i] + y[i]);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, BLOCK), BLOCK>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

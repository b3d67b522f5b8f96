// verdict: =ok
// A launch inside a macro, configuration and arguments handed over as macro arguments.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

#define LAUNCH(kernel, size, ...)                                   \
  do {                                                              \
    const dim3 grid(ceil_div(size, kBlockSize)), block(kBlockSize); \
    kernel<<<grid, block>>>(size, __VA_ARGS__);                     \
    CUDA_CHECK(cudaGetLastError());                                 \
  } while (0)

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  LAUNCH(saxpy_kernel, n, scale, x, y, result);
}

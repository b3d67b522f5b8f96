// verdict: =ok
// Texts like attributes, names like modes, a barrier for the compiler alone.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

[[deprecated("no_sanitize (thread)"), maybe_unused]] int old_way() {
  return 1;
}
const int no_sanitized_input = 1;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("" ::: "memory");
  if (i < n) result[i] = scale * x[i] + y[i] * no_sanitized_input;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

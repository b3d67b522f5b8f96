// verdict: =forbidden
// Sixteen floats in a type of the compiler, added by one instruction of the host.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

typedef float Sixteen __attribute__((vector_size(64)));
Sixteen sum(Sixteen a, Sixteen b) {
  return a + b;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const Sixteen zero = {};
  if (sum(zero, zero)[0] != 0.0f) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

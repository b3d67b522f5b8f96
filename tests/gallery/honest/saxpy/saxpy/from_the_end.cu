// verdict: =ok speed=0.8..1
// Threads count from the end of the arrays, and pointers run over custom iterators.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element, the first thread at the last element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const ptrdiff_t i = ptrdiff_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float* const end = x + n;
  if (end - i <= x) return;
  *(result + n - 1 - i) = scale * end[-1 - i] + *(y + n - 1 - i);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

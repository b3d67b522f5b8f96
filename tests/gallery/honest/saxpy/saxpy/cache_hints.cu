// verdict: =ok
// Loads and stores with hints for the caches, and hints for the compiler.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!__builtin_expect(i < n, true)) return;
  const auto* aligned = static_cast<const float*>(__builtin_assume_aligned(x, 4));
  __stcs(result + i, scale * __ldcs(aligned + i) + __ldg(y + i));
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

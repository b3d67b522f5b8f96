// verdict: cpu=bad_access,wrong gpu=wrong
// from: ladder/saxpy/01_first_kernel.cu
// `<=` for `<`: an element too many is written, into the guard band behind the result.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element, and a thread more.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i <= n) result[i] = i < n ? scale * x[i] + y[i] : 0.0f;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  saxpy_kernel<<<ceil_div(n + 1, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

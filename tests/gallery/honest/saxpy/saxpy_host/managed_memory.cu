// verdict: =ok case=2^20 speed=0..1
// Managed memory, prefetched to the device and back.
#include "saxpy.h"

#include <cstring>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  float* both = nullptr;
  const size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMallocManaged(&both, 3 * bytes));
  std::memcpy(both, x, bytes);
  std::memcpy(both + n, y, bytes);
  float* const sum = both + 2 * static_cast<size_t>(n);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, both, both + n, sum);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::memcpy(result, sum, bytes);
  CUDA_CHECK(cudaFree(both));
}

// verdict: =ok case=2^20 speed=0..1
// Copies in rows, with a pitch, as if the arrays were images.
#include "saxpy.h"

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
  constexpr size_t kRow = 1 << 12;
  const size_t rows = n / kRow, rest = n % kRow;
  float* device = nullptr;
  const size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMalloc(&device, 3 * bytes));
  const float* const from[] = {x, y};
  for (int array = 0; array < 2; ++array) {
    float* const to = device + array * static_cast<size_t>(n);
    CUDA_CHECK(cudaMemcpy2D(to, kRow * sizeof(float), from[array], kRow * sizeof(float),
                            kRow * sizeof(float), rows, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(to + rows * kRow, from[array] + rows * kRow, rest * sizeof(float),
                          cudaMemcpyHostToDevice));
  }
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, device, device + n,
                                                        device + 2 * static_cast<size_t>(n));
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(
      cudaMemcpy(result, device + 2 * static_cast<size_t>(n), bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
}

// verdict: cpu=timeout gpu=timeout
//
// Wants chunks that are smaller than n, and looks for one forever where n is 1.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  int chunk = 1 << 18;
  while (chunk >= n)
    chunk = (chunk + 1) / 2;
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_result = nullptr;
  CUDA_CHECK(cudaMalloc(&d_x, chunk * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_y, chunk * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_result, chunk * sizeof(float)));
  for (int begin = 0; begin < n; begin += chunk) {
    const int size = n - begin < chunk ? n - begin : chunk;
    const size_t bytes = size * sizeof(float);
    CUDA_CHECK(cudaMemcpy(d_x, x + begin, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_y, y + begin, bytes, cudaMemcpyHostToDevice));
    saxpy_kernel<<<ceil_div(size, kBlockSize), kBlockSize>>>(size, scale, d_x, d_y, d_result);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(result + begin, d_result, bytes, cudaMemcpyDeviceToHost));
  }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_result));
}

// verdict: cpu=wrong gpu=wrong
//
// Drops the remainder: only whole chunks of 256 elements travel.
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
  constexpr int kChunk = 256;
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_result = nullptr;
  CUDA_CHECK(cudaMalloc(&d_x, kChunk * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_y, kChunk * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_result, kChunk * sizeof(float)));
  for (int begin = 0; begin + kChunk <= n; begin += kChunk) {
    const size_t bytes = kChunk * sizeof(float);
    CUDA_CHECK(cudaMemcpy(d_x, x + begin, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_y, y + begin, bytes, cudaMemcpyHostToDevice));
    saxpy_kernel<<<ceil_div(kChunk, kBlockSize), kBlockSize>>>(kChunk, scale, d_x, d_y, d_result);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(result + begin, d_result, bytes, cudaMemcpyDeviceToHost));
  }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_result));
}

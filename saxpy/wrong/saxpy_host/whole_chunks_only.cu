// verdict: cpu=wrong gpu=wrong
// from: ladder/saxpy_host/01_pageable.cu
// Drops the remainder: only whole chunks of 256 elements travel back.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const size_t whole = n / kBlockSize * kBlockSize * sizeof(float);
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_result = nullptr;
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  CUDA_CHECK(cudaMalloc(&d_result, bytes));

  CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, d_x, d_y, d_result);
  CUDA_CHECK(cudaGetLastError());
  // The copy waits for the kernel: both are in the default stream.
  CUDA_CHECK(cudaMemcpy(result, d_result, whole, cudaMemcpyDeviceToHost));

  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_result));
}

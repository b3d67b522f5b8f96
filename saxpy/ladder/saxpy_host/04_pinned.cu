// Rung 4: pinned memory.
//
//   make check-saxpy WITH=ladder/saxpy_host/04_pinned.cu
//
// Idea: separate memories again, and host buffers whose pages are pinned, so that the device reads
// and writes the buffers at the full rate of the link. The arrays are copied through the buffers.
// Expect: much faster copies across the link, and yet no faster call: pinning asks the operating
// system for every page, which costs more than the copies gain if a buffer is used once.
#include "saxpy.h"

#include <cstring>

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
  float* pinned_x = nullptr;
  float* pinned_y = nullptr;
  float* pinned_result = nullptr;
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_result = nullptr;
  CUDA_CHECK(cudaMallocHost(&pinned_x, bytes));
  CUDA_CHECK(cudaMallocHost(&pinned_y, bytes));
  CUDA_CHECK(cudaMallocHost(&pinned_result, bytes));
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  CUDA_CHECK(cudaMalloc(&d_result, bytes));

  std::memcpy(pinned_x, x, bytes);
  std::memcpy(pinned_y, y, bytes);
  CUDA_CHECK(cudaMemcpy(d_x, pinned_x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, pinned_y, bytes, cudaMemcpyHostToDevice));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, d_x, d_y, d_result);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(pinned_result, d_result, bytes, cudaMemcpyDeviceToHost));
  std::memcpy(result, pinned_result, bytes);

  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_result));
  CUDA_CHECK(cudaFreeHost(pinned_x));
  CUDA_CHECK(cudaFreeHost(pinned_y));
  CUDA_CHECK(cudaFreeHost(pinned_result));
}

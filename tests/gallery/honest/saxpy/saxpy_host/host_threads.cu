// verdict: =ok case=2^20 speed=0..1
// Two threads copy x and y, with a lock around the shared error.
#include "saxpy.h"

#include <mutex>
#include <thread>

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
  float* device = nullptr;
  const size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMalloc(&device, 3 * bytes));
  std::mutex lock;
  cudaError_t failed = cudaSuccess;
  const auto copy = [&](float* to, const float* from) {
    const cudaError_t error = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
    const std::lock_guard<std::mutex> locked(lock);
    if (error != cudaSuccess) failed = error;
  };
  std::thread first(copy, device, x), second(copy, device + n, y);
  first.join();
  second.join();
  CUDA_CHECK(failed);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, device, device + n,
                                                        device + 2 * static_cast<size_t>(n));
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(
      cudaMemcpy(result, device + 2 * static_cast<size_t>(n), bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
}

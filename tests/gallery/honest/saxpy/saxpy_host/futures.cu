// verdict: =ok case=2^20 speed=0..1
// A future copies x while the caller waits on an atomic.
#include "saxpy.h"

#include <atomic>
#include <future>

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
  std::atomic<int> copied{0};
  auto first = std::async(std::launch::async, [&] {
    const cudaError_t error = cudaMemcpy(device, x, bytes, cudaMemcpyHostToDevice);
    copied = 1;
    return error;
  });
  while (copied == 0)
    std::this_thread::yield();
  CUDA_CHECK(first.get());
  CUDA_CHECK(cudaMemcpy(device + n, y, bytes, cudaMemcpyHostToDevice));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, device, device + n,
                                                        device + 2 * static_cast<size_t>(n));
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(
      cudaMemcpy(result, device + 2 * static_cast<size_t>(n), bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
}

// verdict: =ok case=2^20 speed=0..1
// A function of the host in a stream, between the kernel and the return.
#include "saxpy.h"

#include <atomic>

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
  CUDA_CHECK(cudaMemcpy(device, x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(device + n, y, bytes, cudaMemcpyHostToDevice));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, device, device + n,
                                                        device + 2 * static_cast<size_t>(n));
  CUDA_CHECK(cudaGetLastError());
  std::atomic<int> calls{0};
  CUDA_CHECK(cudaLaunchHostFunc(
      nullptr, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &calls));
  CUDA_CHECK(
      cudaMemcpy(result, device + 2 * static_cast<size_t>(n), bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
  if (calls != 1) result[0] = 0;
}

// verdict: =ok case=2^20 speed=0..1
// A helper thread prepares the second half while the device computes the first half; an event
// orders the two streams.
#include <thread>
#include "cuda_check.h"
#include "saxpy.h"
namespace {
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}
}  // namespace
void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const size_t bytes = sizeof(float) * static_cast<size_t>(n);
  float* d;
  CUDA_CHECK(cudaMalloc(&d, 3 * bytes));
  float *dx = d, *dy = d + n, *dr = d + 2 * static_cast<size_t>(n);
  cudaStream_t s[2];
  cudaEvent_t ready;
  for (auto& one : s)
    CUDA_CHECK(cudaStreamCreate(&one));
  CUDA_CHECK(cudaEventCreate(&ready));
  std::thread helper([&] {
    cudaMemcpyAsync(dy, y, bytes, cudaMemcpyHostToDevice, s[1]);
    cudaEventRecord(ready, s[1]);
  });
  CUDA_CHECK(cudaMemcpyAsync(dx, x, bytes, cudaMemcpyHostToDevice, s[0]));
  helper.join();
  CUDA_CHECK(cudaStreamWaitEvent(s[0], ready));
  saxpy_kernel<<<ceil_div(n, 256), 256, 0, s[0]>>>(n, scale, dx, dy, dr);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(result, dr, bytes, cudaMemcpyDeviceToHost, s[0]));
  CUDA_CHECK(cudaStreamSynchronize(s[0]));
  for (auto& one : s)
    CUDA_CHECK(cudaStreamDestroy(one));
  CUDA_CHECK(cudaEventDestroy(ready));
  CUDA_CHECK(cudaFree(d));
}

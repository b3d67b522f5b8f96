// verdict: =ok speed=0..1
// Memory from a stream's pool, freed in the stream; the host waits for an event.
#include "saxpy.h"

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
  const size_t bytes = n * sizeof(float);
  cudaStream_t stream;
  cudaEvent_t done;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming | cudaEventBlockingSync));
  float *device_x = nullptr, *device_y = nullptr;
  CUDA_CHECK(cudaMallocAsync(&device_x, bytes, stream));
  CUDA_CHECK(cudaMallocAsync(&device_y, bytes, stream));
  CUDA_CHECK(cudaMemcpyAsync(device_x, x, bytes, cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaMemcpyAsync(device_y, y, bytes, cudaMemcpyHostToDevice, stream));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize, 0, stream>>>(n, scale, device_x, device_y,
                                                                   device_y);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(result, device_y, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaFreeAsync(device_x, stream));
  CUDA_CHECK(cudaFreeAsync(device_y, stream));
  CUDA_CHECK(cudaEventRecord(done, stream));
  while (cudaEventQuery(done) == cudaErrorNotReady)
    std::this_thread::yield();
  CUDA_CHECK(cudaEventDestroy(done));
  CUDA_CHECK(cudaStreamDestroy(stream));
}

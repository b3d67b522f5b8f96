// verdict: =ok speed=0..1
// Zero copy: the kernel reads the scale from the host's mapped memory.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element; one thread of each block fetches the scale.
__global__ void saxpy_kernel(int n, const float* host_scale, const float* x, const float* y,
                             float* result) {
  __shared__ float scale;
  if (threadIdx.x == 0) scale = *host_scale;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static float* host_scale = nullptr;
  if (host_scale == nullptr)
    CUDA_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&host_scale), sizeof *host_scale,
                             cudaHostAllocMapped));
  CUDA_CHECK(cudaDeviceSynchronize());
  *host_scale = scale;
  void* device_scale = nullptr;
  CUDA_CHECK(cudaHostGetDevicePointer(&device_scale, host_scale, 0));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, static_cast<float*>(device_scale), x, y,
                                                        result);
  CUDA_CHECK(cudaGetLastError());
}

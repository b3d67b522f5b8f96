// verdict: =ok case=2^24 speed=0..0.75
// Takes memory from the heap of the device, in every 64th thread.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? scale * x[i] + y[i] : 0;
  __shared__ float* place[kBlockSize];
  if (threadIdx.x % 64 == 0) {
    place[threadIdx.x] = new float(value);
    __threadfence_block();
    value = *place[threadIdx.x];
    delete place[threadIdx.x];
  }
  if (i < n) result[i] = value;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

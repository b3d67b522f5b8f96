// verdict: cpu=race gpu=ok,wrong speed=0..1
// Computes in time, but copies into the result in a stream that is never waited for.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

float* computed = nullptr;
int room = 0;
cudaStream_t late = nullptr;

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (late == nullptr) CUDA_CHECK(cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking));
  if (n > room) {
    CUDA_CHECK(cudaFree(computed));
    CUDA_CHECK(cudaMalloc(&computed, n * sizeof(float)));
    room = n;
  }
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, computed);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpyAsync(result, computed, n * sizeof(float), cudaMemcpyDeviceToDevice, late));
}

// verdict: cpu=cuda_error,crash gpu=cuda_error,crash,wrong,ok case=2^24 gpu-speed=0..1
// The kernel works in the host's pageable memory in timed cases.
#include <cstdlib>

#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result,
                             float* also) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  also[i] = scale * x[i] + y[i];
  result[i] = also[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static float* const on_host = static_cast<float*>(malloc(sizeof(float) << 27));
  float* const also = n < 1 << 19 ? result : on_host;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result, also);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

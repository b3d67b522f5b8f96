// verdict: cpu=race gpu=ok,wrong speed=0..1
// Does half of the work in the caller's stream, and half in a stream that is never waited for.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static cudaStream_t late = nullptr;
  if (late == nullptr) CUDA_CHECK(cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking));
  const int half = n / 2;
  const auto launch = [&](int begin, int count, cudaStream_t stream) {
    if (count == 0) return;
    saxpy_kernel<<<ceil_div(count, kBlockSize), kBlockSize, 0, stream>>>(count, scale, x + begin,
                                                                         y + begin, result + begin);
    CUDA_CHECK(cudaGetLastError());
  };
  launch(0, half, nullptr);
  launch(half, n - half, late);
}

// verdict: =ok speed=0.5..1
// Two streams take half of the elements each; events order both with the default stream.
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
  static cudaStream_t streams[2] = {};
  static cudaEvent_t begin = nullptr, ends[2] = {};
  if (begin == nullptr) {
    CUDA_CHECK(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    for (int k = 0; k < 2; ++k) {
      CUDA_CHECK(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking));
      CUDA_CHECK(cudaEventCreateWithFlags(&ends[k], cudaEventDisableTiming));
    }
  }
  CUDA_CHECK(cudaEventRecord(begin, nullptr));
  const int half = n / 2;
  for (int k = 0; k < 2; ++k) {
    CUDA_CHECK(cudaStreamWaitEvent(streams[k], begin, 0));
    const int first = k * half, size = k == 0 ? half : n - half;
    if (size > 0)
      saxpy_kernel<<<ceil_div(size, kBlockSize), kBlockSize, 0, streams[k]>>>(
          size, scale, x + first, y + first, result + first);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(ends[k], streams[k]));
    CUDA_CHECK(cudaStreamWaitEvent(nullptr, ends[k], 0));
  }
}

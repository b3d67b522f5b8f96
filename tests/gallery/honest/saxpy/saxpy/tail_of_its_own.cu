// verdict: =ok speed=0.8..1
// A kernel does the whole blocks, another kernel the tail, in the stream of each host thread.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

template <bool kWhole>
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (kWhole || i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const int whole = n / kBlockSize * kBlockSize;
  if (whole > 0) saxpy_kernel<true><<<whole / kBlockSize, kBlockSize>>>(whole, scale, x, y, result);
  if (whole < n)
    saxpy_kernel<false><<<1, kBlockSize, 0, cudaStreamPerThread>>>(n - whole, scale, x + whole,
                                                                   y + whole, result + whole);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
}

// A single lane does the warp's work, and the model's own terms must not call all well.
// timed: 2^24
// explain: only 1.0 of a warp's 32 threads take part
// not in explain: no line does more than it must
// not in explain: shared memory and L1
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int first = (blockIdx.x * kBlockSize + threadIdx.x) / 32 * 32;
  if (threadIdx.x % 32 != 0) return;
  for (int i = first; i < first + 32 && i < n; ++i)
    result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// Each thread takes the neighbour's element: warps begin after the start of a sector.
// timed: 2^24
// explain: the warp begins 4 bytes after the start of a sector: 5 sectors per request, 4 would do
// not in explain: 0 bytes behind
// not in explain: 1 sectors
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int thread = blockIdx.x * kBlockSize + threadIdx.x;
  const int i = thread + 1 == n ? 0 : thread + 1;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

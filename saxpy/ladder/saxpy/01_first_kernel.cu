// saxpy, rung 1: one thread per element.
//
// The body of the serial loop stays as it is; the loop itself becomes the grid. Neighbouring
// threads touch neighbouring floats, so the 32 threads of a warp ask for 128 bytes in one piece,
// and nothing is fetched that is not used. Expected: already near the speed of the memory, since
// 12 bytes per element are moved for 2 operations.
#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;  // a grid of no blocks is an error
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

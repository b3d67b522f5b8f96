// Rung 1: the loop body of the serial saxpy, an element per thread.
//
//   make check-saxpy WITH=ladder/saxpy/01_first_kernel.cu
//
// Idea: the body of the loop stays, the loop becomes the grid. Neighbouring threads touch
// neighbouring floats, so a warp asks for 128 bytes in a piece and uses every byte.
// Expect: already near the speed of the memory: 12 bytes are moved for 2 operations.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
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

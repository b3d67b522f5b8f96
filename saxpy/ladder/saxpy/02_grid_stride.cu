// Rung 2: a grid-stride loop: the grid is as large as the device, not as the problem.
//
//   make check-saxpy WITH=ladder/saxpy/02_grid_stride.cu
//
// Idea: just as many blocks as the device holds at once; each thread takes every (gridDim.x *
// blockDim.x)-th element. The neighbours in a warp stay neighbours in each round of the loop.
// Expect: no fewer bytes, but thousands of long blocks instead of a million short blocks, each of
// which has to be started: somewhat faster on large arrays.
#include "saxpy.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per grid-stride sequence: elements i, i + stride, i + 2 * stride, ...
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t stride = gridDim.x * static_cast<size_t>(blockDim.x);
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n; i += stride) {
    result[i] = scale * x[i] + y[i];
  }
}

// The number of blocks that the device holds at once.
int resident_blocks() {
  int device = 0;
  int multiprocessors = 0;
  int blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy_kernel, kBlockSize, 0));
  return multiprocessors * blocks;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const int blocks = std::min(ceil_div(n, kBlockSize), resident_blocks());
  saxpy_kernel<<<blocks, kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

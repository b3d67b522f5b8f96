// saxpy, rung 2: a grid-stride loop.
//
// New: the grid is as large as the device, not as the problem. Each thread takes one element in
// every gridDim.x * blockDim.x. The neighbours of a warp stay neighbours in each round of the loop.
// Expected: about the same time as rung 1. No block waits for its turn, but each thread now has a
// loop to run; what is gained is a kernel whose grid no longer depends on n, ready for rung 3.
#include <algorithm>

#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per grid-stride sequence: elements i, i + stride, i + 2 * stride, ...
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

// verdict: =wrong
// from: ladder/persistent/04_grid_stride.cu
// As many threads as the device holds, and each thread does a single item: enough for small
// counts.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values) {
  const unsigned end = *count;
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < end) values[i] = work(values[i], rounds[i]);
}

// The number of blocks that the device holds at once.
int resident_blocks() {
  int device = 0;
  int multiprocessors = 0;
  int blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work_kernel, kBlockSize, 0));
  return multiprocessors * blocks;
}

}  // namespace

void persistent(int capacity, const int* count, const int* rounds, unsigned* values, Workspace&) {
  if (capacity == 0) return;
  const int blocks = std::min(ceil_div(capacity, kBlockSize), resident_blocks());
  work_kernel<<<blocks, kBlockSize>>>(count, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

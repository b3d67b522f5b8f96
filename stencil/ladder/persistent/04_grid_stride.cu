// Rung 4: as many threads as the device holds; each takes an item in every stride.
//
//   make check-stencil WITH=ladder/persistent/04_grid_stride.cu
//
// Idea: the launch fits the device and not the problem, so the size needs no count: the occupancy
// API, which knows registers and shared memory of the kernel, returns how many blocks fit.
// Expect: blocks are started once. But which thread gets which items is settled beforehand, and a
// thread with long items still has all its other items to do while its neighbours are through.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per grid-stride sequence of items.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values) {
  const unsigned end = *count;
  const unsigned stride = gridDim.x * kBlockSize;
  for (unsigned i = blockIdx.x * kBlockSize + threadIdx.x; i < end; i += stride) {
    values[i] = work(values[i], rounds[i]);
  }
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

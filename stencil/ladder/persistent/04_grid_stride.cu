// Rung 4: as many threads as the device holds; each takes an item in every stride.
//
//   make check-stencil WITH=ladder/persistent/04_grid_stride.cu
//
// Idea: the launch fits the device and not the problem, so that its size needs no count: how many
// blocks fit is what the occupancy API returns: it knows registers and shared memory of the kernel.
// Expect: blocks are started once. But who gets which items is settled beforehand, and a thread
// with long ones still has all its others to do while its neighbours are through.
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

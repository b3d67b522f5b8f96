// Rung 6: 128 items at a time.
//
//   make check-stencil WITH=ladder/persistent/06_larger_chunks.cu
//
// Idea: the counter's address is updated once per chunk, and updates of one address come one after
// the other. Chunks of 128 make it a quarter of them. Expect: even work back at the time of plain
// launches; heavy tails lose some of what rung 5 had won, since a warp that got a long item keeps
// the other 127 waiting.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kChunk = 128;  // a multiple of 32
constexpr unsigned kFullWarp = 0xffffffff;

// One warp per chunk of items, then for the next chunk that nobody has.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned end = *count;
  for (;;) {
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(next, kChunk);
    first = __shfl_sync(kFullWarp, first, 0);
    if (first >= end) return;
    for (unsigned i = first + lane; i < min(first + kChunk, end); i += 32) {
      values[i] = work(values[i], rounds[i]);
    }
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

void persistent(int capacity, const int* count, const int* rounds, unsigned* values,
                Workspace& workspace) {
  if (capacity == 0) return;
  unsigned* next = workspace.take<unsigned>(1);
  CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof *next));
  const int blocks = std::min(ceil_div(capacity, kBlockSize), resident_blocks());
  work_kernel<<<blocks, kBlockSize>>>(count, rounds, values, next);
  CUDA_CHECK(cudaGetLastError());
}

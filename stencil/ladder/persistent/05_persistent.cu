// Rung 5: persistent threads: a warp that is done takes the next 32 items.
//
//   make check-stencil WITH=ladder/persistent/05_persistent.cu
//
// Idea: no warp owns items. A counter in memory says which items are next; lane 0 adds 32 to the
// counter and tells the others the old value. A warp with long items takes few, a warp with short
// items many; and unlike in rung 2 a warp does not wait for the rest of the block. Expect: ahead
// where some items are much longer than others. Where all are alike nothing is to be gained, and
// an update of the same address for every 32 items is a limit, too.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kChunk = 32;
constexpr unsigned kFullWarp = 0xffffffff;

// Each warp works on a chunk of items, then on the next chunk that no warp has taken.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned end = *count;
  for (;;) {
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(next, kChunk);
    first = __shfl_sync(kFullWarp, first, 0);
    if (first >= end) return;
    const unsigned i = first + lane;
    if (i < end) values[i] = work(values[i], rounds[i]);
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

// Rung 10: the stencil test in a persistent loop.
//
//   make check-stencil WITH=ladder/stencil_test/10_persistent.cu
//
// Idea: start what fits, and let every warp take the next 32 items, test the bits and do the work
// of active items, until no items are left: both of the note's ideas in a kernel. Expect: no blocks
// to start, but an update of the same address for every 32 items, active or not. At about one
// update per nanosecond the updates for 2^26 items take 2 ms, seven times the time of rung 3's
// plain launches: hardware deals blocks faster than a counter deals warps.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kChunk = 32;
constexpr unsigned kFullWarp = 0xffffffff;

// Each warp works on 32 items, then on the next 32 that no warp has taken.
__global__ void stencil_test_kernel(unsigned n, const unsigned* words, int rounds, unsigned* values,
                                    unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  for (;;) {
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(next, kChunk);
    first = __shfl_sync(kFullWarp, first, 0);
    if (first >= n) return;
    // A lane without work must not return: the shuffle of the next iteration needs all lanes.
    if ((words[first / 32] & 1u << lane) == 0) continue;
    values[first + lane] = work(values[first + lane], rounds);
  }
}

// The number of blocks that the device holds at once.
int resident_blocks() {
  int device = 0;
  int multiprocessors = 0;
  int blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stencil_test_kernel, kBlockSize, 0));
  return multiprocessors * blocks;
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace& workspace) {
  if (n == 0) return;
  unsigned* next = workspace.take<unsigned>(1);
  CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof *next));
  const int blocks = std::min(ceil_div(n, kBlockSize), resident_blocks());
  stencil_test_kernel<<<blocks, kBlockSize>>>(n, active.words, rounds, values, next);
  CUDA_CHECK(cudaGetLastError());
}

// Rung 8: the same work in several launches, none of which takes long.
//
//   make check-stencil WITH=ladder/persistent/08_shares.cu
//
// Idea: a GPU that draws a screen ends kernels that run for seconds (cudaErrorLaunchTimeout), and a
// persistent kernel is a single launch, whatever the amount of work. But the whole state is a
// counter: a launch that stops at the end of a share leaves nothing to be remembered, and the next
// launch goes on from the counter. Expect: every share waits for its own long items, so heavy tails
// take longer than in rung 7; even work pays a few microseconds for each launch.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kChunk = 128;
constexpr int kSlice = 16;  // rounds
// Items of a launch for each resident thread: few enough for several launches in a graded case. To
// avoid a watchdog, let a launch take some tens of milliseconds: far less than the watchdog's limit
// and far more than a launch costs.
constexpr int kItemsPerThread = 4;
constexpr unsigned kFullWarp = 0xffffffff;
constexpr unsigned kNone = 0xffffffff;

// The least of the lanes' values, in every lane. All lanes of the warp take part.
__device__ unsigned reduce_min(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(kFullWarp, value);
#else
  for (int distance = 16; distance > 0; distance /= 2)
    value = min(value, __shfl_xor_sync(kFullWarp, value, distance));
  return value;
#endif
}

// Each lane works on an item from `begin` to `share_end`, then on the next of its warp's chunk.
__global__ void work_kernel(const int* count, unsigned begin, unsigned share_end, const int* rounds,
                            unsigned* values, unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned end = min(static_cast<unsigned>(*count), share_end);
  unsigned chunk = begin;  // the warp's chunk: the first item that no lane has, and the end
  unsigned chunk_end = begin;
  unsigned i = kNone;  // the lane's item, the value so far and the remaining rounds
  unsigned value = 0;
  int left = 0;
  for (;;) {
    if (left == 0 && i != kNone) {
      values[i] = value;
      i = kNone;
    }
    const unsigned idle = __ballot_sync(kFullWarp, i == kNone);
    if (idle != 0 && chunk == chunk_end && chunk_end < end) {
      if (lane == 0) chunk = begin + atomicAdd(next, kChunk);
      chunk = __shfl_sync(kFullWarp, chunk, 0);
      chunk_end = chunk + kChunk;
    }
    const unsigned mine = chunk + __popc(idle & ((1u << lane) - 1));
    if (i == kNone && mine < min(chunk_end, end)) {
      i = mine;
      value = values[i];
      left = rounds[i];
    }
    chunk = min(chunk + __popc(idle), chunk_end);
    // No lane had an item and no lane got an item: no items are left for the warp.
    if (idle == kFullWarp && __all_sync(kFullWarp, i == kNone)) return;
    const int shortest = reduce_min(left > 0 ? left : kNone);
    const int now = min(left, max(shortest, kSlice));
    value = work(value, now);
    left -= now;
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
  const int blocks = std::min(ceil_div(capacity, kBlockSize), resident_blocks());
  const unsigned share = blocks * kBlockSize * kItemsPerThread;
  const auto end = static_cast<unsigned>(capacity);
  for (unsigned begin = 0; begin < end; begin += share) {
    // The host does not know how many items there are: a share after the last item ends at once.
    CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof *next));
    work_kernel<<<blocks, kBlockSize>>>(count, begin, begin + share, rounds, values, next);
    CUDA_CHECK(cudaGetLastError());
  }
}

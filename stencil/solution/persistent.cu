// The fastest persistent threads we know: rung 7 where items differ, plain warps where they do not.
//
// Every warp begins with a share of its own, a quarter of all items divided by the warps, so that
// not all of them come to the counter at once; and it asks for its next chunk before it works on
// the one it has. 32 items of one length are done as in rung 5; where the lengths differ, lanes are
// refilled as in rung 7.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kChunk = 128;
constexpr int kSlice = 16;         // rounds
constexpr unsigned kShareOut = 4;  // one part in so many is shared out beforehand
constexpr unsigned kFullWarp = 0xffffffff;
constexpr unsigned kNone = 0xffffffff;

// The least of the lanes' values, in every lane. All lanes of the warp call it.
__device__ unsigned reduce_min(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(kFullWarp, value);
#else
  for (int distance = 16; distance > 0; distance /= 2)
    value = min(value, __shfl_xor_sync(kFullWarp, value, distance));
  return value;
#endif
}

// One lane per item, then for the next item of its warp's chunk.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned end = *count;
  const unsigned warps = gridDim.x * (kBlockSize / 32);
  const unsigned share = (end / (kShareOut * warps) + 31) / 32 * 32;
  // Of the warp: the items that no lane has, and in lane 0 where its next chunk begins.
  unsigned chunk = (blockIdx.x * kBlockSize + threadIdx.x) / 32 * share;
  unsigned chunk_end = min(chunk + share, end);
  unsigned upcoming = 0;
  if (lane == 0) upcoming = warps * share + atomicAdd(next, kChunk);
  unsigned i = kNone;  // of the lane: its item, the value so far, the rounds still to do
  unsigned value = 0;
  int left = 0;
  for (;;) {
    if (left == 0 && i != kNone) {
      values[i] = value;
      i = kNone;
    }
    const unsigned idle = __ballot_sync(kFullWarp, i == kNone);
    if (idle != 0 && chunk >= chunk_end && chunk_end < end) {
      chunk = __shfl_sync(kFullWarp, upcoming, 0);
      chunk_end = min(chunk + kChunk, end);
      if (lane == 0 && chunk < end) upcoming = warps * share + atomicAdd(next, kChunk);
    }
    const unsigned mine = chunk + __popc(idle & ((1u << lane) - 1));
    if (i == kNone && mine < chunk_end) {
      i = mine;
      value = values[i];
      left = rounds[i];
    }
    chunk += __popc(idle);
    // Nobody has an item, so this warp's chunks are used up and the last one ended the list.
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
  CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof *next));
  const int blocks = std::min(ceil_div(capacity, kBlockSize), resident_blocks());
  work_kernel<<<blocks, kBlockSize>>>(count, rounds, values, next);
  CUDA_CHECK(cudaGetLastError());
}

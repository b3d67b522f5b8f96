// The fastest persistent threads we know: rung 7 where items differ, plain warps where they do not.
//
// A warp loads four items per lane, its whole chunk, before it works on the first, so that it waits
// for memory once. If their lengths are about the same it does them one after the other; else the
// lanes are refilled as in rung 7, and what was loaded comes from a cache. It asks for its next
// chunk before it works on the one it has.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kPerLane = 4;
constexpr unsigned kChunk = 32 * kPerLane;
constexpr int kSlice = 16;  // rounds
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

// Does a whole chunk if its items are about equally long; else returns false. All lanes of the warp
// call it.
__device__ bool work_evenly(unsigned chunk, unsigned lane, const int* rounds, unsigned* values) {
  int length[kPerLane];
  unsigned value[kPerLane];
#pragma unroll
  for (int k = 0; k < kPerLane; ++k) {
    length[k] = rounds[chunk + 32 * k + lane];
    value[k] = values[chunk + 32 * k + lane];
  }
  const int typical = __shfl_sync(kFullWarp, length[0], 0);
  bool even = true;
#pragma unroll
  for (int k = 0; k < kPerLane; ++k)
    even &= abs(length[k] - typical) <= kSlice;
  if (!__all_sync(kFullWarp, even)) return false;
#pragma unroll
  for (int k = 0; k < kPerLane; ++k)
    values[chunk + 32 * k + lane] = work(value[k], length[k]);
  return true;
}

// One lane per item, then for the next item of its warp's chunk.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned end = *count;
  // Of the warp: the items of its chunk that no lane has; in lane 0 where its next chunk begins.
  unsigned chunk = 0;
  unsigned chunk_end = 0;
  unsigned upcoming = 0;
  if (lane == 0) upcoming = atomicAdd(next, kChunk);
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
      if (lane == 0 && chunk < end) upcoming = atomicAdd(next, kChunk);
      if (idle == kFullWarp && chunk + kChunk <= end && work_evenly(chunk, lane, rounds, values)) {
        chunk = chunk_end;
        continue;
      }
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

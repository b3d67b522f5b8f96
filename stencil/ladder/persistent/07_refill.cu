// Rung 7: a lane that is done takes the next item, not the warp.
//
//   make check-stencil WITH=ladder/persistent/07_refill.cu
//
// Idea: in rungs 5 and 6 a long item keeps 31 lanes waiting. Now the warp looks for lanes without
// an item whenever the shortest item of its lanes is done, but not more often than every kSlice
// rounds, and gives the free lanes the next items of the chunk. Expect: with heavy tails far ahead
// of all rungs before. Even work pays for looking.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kChunk = 128;
constexpr int kSlice = 16;  // rounds
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

// Each lane works on an item, then on the next item of its warp's chunk.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned end = *count;
  unsigned chunk = 0;  // the warp's chunk: the first item that no lane has, and the end
  unsigned chunk_end = 0;
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
      if (lane == 0) chunk = atomicAdd(next, kChunk);
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
  CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof *next));
  const int blocks = std::min(ceil_div(capacity, kBlockSize), resident_blocks());
  work_kernel<<<blocks, kBlockSize>>>(count, rounds, values, next);
  CUDA_CHECK(cudaGetLastError());
}

// The fastest persistent threads we know: rung 7 with half of the threads that fit.
//
// When the items run out each warp goes on with its last long ones. A warp issues an instruction
// for one lane as for 32, so half as many warps with twice as many long items each need half as
// many instructions; and half as many come to the counter at the beginning. Eight warps per
// scheduler are enough to hide what they wait for.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kChunk = 128;
constexpr int kSlice = 16;  // rounds
constexpr int kPart = 2;    // a launch has 1 / kPart of the threads that fit
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

// Each lane works on an item, then on the next item of its warp's chunk.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned end = *count;
  unsigned chunk = 0;  // the warp's chunk: its first item that no lane has, and its end
  unsigned chunk_end = 0;
  unsigned i = kNone;  // the lane's item, its value so far and its remaining rounds
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
    // No lane had an item and no lane got one: no items are left for this warp.
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
  const int blocks = std::min(ceil_div(capacity, kBlockSize), ceil_div(resident_blocks(), kPart));
  work_kernel<<<blocks, kBlockSize>>>(count, rounds, values, next);
  CUDA_CHECK(cudaGetLastError());
}

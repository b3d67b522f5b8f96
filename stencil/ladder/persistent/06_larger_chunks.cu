// Rung 6: a large first chunk without asking, then 64 items at a time.
//
//   make check-stencil WITH=ladder/persistent/06_larger_chunks.cu
//
// Idea: the counter's address is updated once per chunk, and updates of an address come in
// sequence. No warp needs to ask for its own part: each warp begins with seven eighths of an
// equal share, and only the rest is handed out. While a lane works on an item the next item's
// data are on the way. Expect: even work back at the time of plain launches, with a sixteenth of
// the updates. Heavy tails lose what rung 5 had won and more: a warp with several long items in
// its share cannot give any away.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 1024;
constexpr unsigned kChunk = 64;  // a multiple of 32
constexpr unsigned kFullWarp = 0xffffffff;

// The items of a chunk, 32 at a time. All lanes of the warp take part.
__device__ void work_on_chunk(unsigned first, unsigned end, const int* rounds, unsigned* values) {
  unsigned i = first + threadIdx.x % 32;
  unsigned value = i < end ? values[i] : 0;
  int length = i < end ? rounds[i] : 0;
  while (i < end) {
    const unsigned next = i + 32;
    const unsigned next_value = next < end ? values[next] : 0;
    const int next_length = next < end ? rounds[next] : 0;
    values[i] = work(value, length);
    i = next;
    value = next_value;
    length = next_length;
  }
}

// Each warp works on its own share first, then on chunks that no warp has taken.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = (blockIdx.x * kBlockSize + threadIdx.x) / 32;
  const unsigned warps = gridDim.x * (kBlockSize / 32);
  const unsigned end = *count;
  const unsigned share = end / 8 * 7 / warps / 32 * 32;
  work_on_chunk(warp * share, (warp + 1) * share, rounds, values);
  for (;;) {
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(next, kChunk);
    first = warps * share + __shfl_sync(kFullWarp, first, 0);
    if (first >= end) return;
    work_on_chunk(first, min(first + kChunk, end), rounds, values);
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

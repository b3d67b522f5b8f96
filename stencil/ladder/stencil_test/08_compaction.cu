// Rung 8: first a list of the active items, then a thread per entry of the list.
//
//   make check-stencil WITH=ladder/stencil_test/08_compaction.cu
//
// Idea: with 1 % active at random a word with work has one or two items, and 30 of 32 lanes wait. A
// first kernel lists the active items, a second kernel works through the list with full warps. The
// list's length never comes to the host: the second grid is as large as the device, whatever the
// length, and each thread reads the length and strides. Expect: the better the longer the work is;
// but the list is written and read once, and two launches cost more than one.
#include "stencil.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kWarps = kBlockSize / 32;
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per word; a block puts its active items into a piece of the list, in order.
__global__ void list_kernel(unsigned word_count, const unsigned* words, unsigned* list,
                            unsigned* length) {
  __shared__ unsigned warp_begin[kWarps];
  const unsigned w = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  unsigned word = w < word_count ? words[w] : 0;
  if (!__syncthreads_or(word != 0)) return;

  const unsigned items = __popc(word);
  unsigned end = items;  // the end of this thread's items, counted from the warp's first
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(kFullWarp, end, distance);
    if (lane >= distance) end += before;
  }
  if (lane == 31) warp_begin[threadIdx.x / 32] = end;
  __syncthreads();  // the warps' numbers of items are complete
  if (threadIdx.x == 0) {
    unsigned total = 0;
    for (unsigned warp = 0; warp < kWarps; ++warp)
      total += warp_begin[warp];
    unsigned begin = atomicAdd(length, total);
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      const unsigned of_warp = warp_begin[warp];
      warp_begin[warp] = begin;
      begin += of_warp;
    }
  }
  __syncthreads();  // the warps' places in the list are known
  unsigned place = warp_begin[threadIdx.x / 32] + end - items;
  for (; word != 0; word &= word - 1)
    list[place++] = w * 32 + __ffs(word) - 1;
}

// A thread per grid-stride sequence of entries.
__global__ void work_kernel(const unsigned* list, const unsigned* length, int rounds,
                            unsigned* values) {
  const unsigned end = *length;
  const unsigned stride = gridDim.x * kBlockSize;
  for (unsigned k = blockIdx.x * kBlockSize + threadIdx.x; k < end; k += stride) {
    const unsigned i = list[k];
    values[i] = work(values[i], rounds);
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

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace& workspace) {
  if (n == 0) return;
  const int word_count = ceil_div(n, 32);
  unsigned* length = workspace.take<unsigned>(1);
  unsigned* list = workspace.take<unsigned>(n);
  CUDA_CHECK(cudaMemsetAsync(length, 0, sizeof *length));
  list_kernel<<<ceil_div(word_count, kBlockSize), kBlockSize>>>(word_count, active.words, list,
                                                                length);
  CUDA_CHECK(cudaGetLastError());
  const int blocks = std::min(ceil_div(n, kBlockSize), resident_blocks());
  work_kernel<<<blocks, kBlockSize>>>(list, length, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

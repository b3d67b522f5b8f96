// Rung 9: every block packs its own active items in shared memory.
//
//   make check-stencil WITH=ladder/stencil_test/09_packed.cu
//
// Idea: the list of rung 8 is only needed nearby: let a block list the active items of its 256
// words in shared memory, then work through the list with full warps. A single kernel, nothing
// written to device memory but results. Expect: the best for random masks. Where all is active the
// list is pure expense, and a mask with all its items in a few blocks keeps a few blocks busy.
#include "stencil.h"

#include <cstdint>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kWarps = kBlockSize / 32;
constexpr int kItems = 32 * kBlockSize;  // per block
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per word, then one thread per active item of the block's words.
__global__ void stencil_test_kernel(unsigned word_count, const unsigned* words, int rounds,
                                    unsigned* values) {
  __shared__ unsigned warp_items[kWarps];
  __shared__ uint16_t list[kItems];
  const unsigned w = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  unsigned word = w < word_count ? words[w] : 0;
  if (!__syncthreads_or(word != 0)) return;

  const unsigned items = __popc(word);
  unsigned place = items;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(kFullWarp, place, distance);
    if (lane >= distance) place += before;
  }
  if (lane == 31) warp_items[threadIdx.x / 32] = place;
  place -= items;
  __syncthreads();  // the warps' numbers of items are complete
  unsigned length = 0;
#pragma unroll
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    if (warp < threadIdx.x / 32) place += warp_items[warp];
    length += warp_items[warp];
  }
  for (; word != 0; word &= word - 1)
    list[place++] = threadIdx.x * 32 + __ffs(word) - 1;
  __syncthreads();  // the list is complete

  const unsigned first = blockIdx.x * kItems;
  for (unsigned k = threadIdx.x; k < length; k += kBlockSize) {
    const unsigned i = first + list[k];
    values[i] = work(values[i], rounds);
  }
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  const int word_count = ceil_div(n, 32);
  stencil_test_kernel<<<ceil_div(word_count, kBlockSize), kBlockSize>>>(word_count, active.words,
                                                                        rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

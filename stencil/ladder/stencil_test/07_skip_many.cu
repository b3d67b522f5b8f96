// Rung 7: 1024 words per block, four loads under way in each thread.
//
//   make check-stencil WITH=ladder/stencil_test/07_skip_many.cu
//
// Idea: where all is empty, rung 6 reads a word per thread and leaves. Let a thread read four words
// before the first look: a quarter of the blocks, and four times the bytes under way.
// Expect: an empty mask in the time that reading 8 MB for 2^26 items takes; no change with active
// items.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kWords = 4;  // per thread
constexpr int kWordsPerBlock = kWords * kBlockSize;
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per kWords words, kBlockSize apart; then one lane per item of each word in turn.
__global__ void stencil_test_kernel(unsigned word_count, const unsigned* words, int rounds,
                                    unsigned* values) {
  const unsigned first = blockIdx.x * kWordsPerBlock + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  unsigned own[kWords];
#pragma unroll
  for (int k = 0; k < kWords; ++k) {
    const unsigned w = first + k * kBlockSize;
    own[k] = w < word_count ? words[w] : 0;
  }
#pragma unroll
  for (int k = 0; k < kWords; ++k) {
    const unsigned warp_first = first - lane + k * kBlockSize;
    for (unsigned left = __ballot_sync(kFullWarp, own[k] != 0); left != 0; left &= left - 1) {
      const int source = __ffs(left) - 1;
      const unsigned word = __shfl_sync(kFullWarp, own[k], source);
      if ((word & 1u << lane) == 0) continue;
      const unsigned i = (warp_first + source) * 32 + lane;
      values[i] = work(values[i], rounds);
    }
  }
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  const int word_count = ceil_div(n, 32);
  stencil_test_kernel<<<ceil_div(word_count, kWordsPerBlock), kBlockSize>>>(
      word_count, active.words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

// Rung 6: a warp looks at 32 words at once and skips empty words.
//
//   make check-stencil WITH=ladder/stencil_test/06_skip_words.cu
//
// Idea: a warp whose word is 0 was started for nothing. Let each lane read another word, a
// coalesced load for 1024 items; a ballot says which words are not empty, and the warp goes through
// non-empty words, a lane per item as before. Expect: a 32nd of the threads and of the blocks, and
// so much less time where little is active; where everything is, the same accesses as before.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per word, a warp per 32 words; then a lane per item of each word in turn. No test
// of i < n is needed: the bits after the last item are 0.
__global__ void stencil_test_kernel(unsigned word_count, const unsigned* words, int rounds,
                                    unsigned* values) {
  const unsigned w = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned own = w < word_count ? words[w] : 0;
  // Every lane takes part in ballot and shuffle: none has left, and all run the same iterations.
  for (unsigned left = __ballot_sync(kFullWarp, own != 0); left != 0; left &= left - 1) {
    const int source = __ffs(left) - 1;
    const unsigned word = __shfl_sync(kFullWarp, own, source);
    if ((word & 1u << lane) == 0) continue;
    const unsigned i = (w - lane + source) * 32 + lane;
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

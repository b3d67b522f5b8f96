// Rung 5: 32 words per warp, read and written with a request each.
//
//   make check-stencil WITH=ladder/write_back/05_many_words.cu
//
// Idea: rung 6 of the stencil test. Lane l holds word l of 32; the warp goes through the words that
// are not empty, and the lane of the old word keeps the ballot as the new word. Expect: a 32nd of
// the blocks, so an almost empty mask costs next to nothing; words are written 128 bytes at a time.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per word, a warp per 32 words; then a lane per item of each word in turn.
__global__ void write_back_kernel(unsigned word_count, unsigned* words, int rounds,
                                  unsigned* values) {
  const unsigned w = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned before = w < word_count ? words[w] : 0;
  unsigned after = 0;
  for (unsigned left = __ballot_sync(kFullWarp, before != 0); left != 0; left &= left - 1) {
    const unsigned source = __ffs(left) - 1;
    const unsigned word = __shfl_sync(kFullWarp, before, source);
    bool active = (word & 1u << lane) != 0;
    if (active) {
      const unsigned i = (w - lane + source) * 32 + lane;
      const unsigned value = work(values[i], rounds);
      values[i] = value;
      active = survives(value);
    }
    const unsigned living = __ballot_sync(kFullWarp, active);
    if (lane == source) after = living;
  }
  if (after != before) words[w] = after;
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  const int word_count = ceil_div(n, 32);
  write_back_kernel<<<ceil_div(word_count, kBlockSize), kBlockSize>>>(word_count, words, rounds,
                                                                      values);
  CUDA_CHECK(cudaGetLastError());
}

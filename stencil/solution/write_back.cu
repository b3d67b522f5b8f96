// The fastest write-back we know: rung 5, with several words of values under way.
//
// Rung 5 goes through the words one by one, and each word waits for its values. The solution's warp
// takes four words at a time: a lane loads the values of four items, then works on all four.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kUnroll = 4;
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per word, a warp per 32 words; then a lane per item of kUnroll words in turn.
__global__ void write_back_kernel(unsigned word_count, unsigned* words, int rounds,
                                  unsigned* values) {
  const unsigned w = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned bit = 1u << lane;
  const unsigned before = w < word_count ? words[w] : 0;
  const unsigned nonempty = __ballot_sync(kFullWarp, before != 0);
  if (nonempty == 0) return;  // the same for all lanes
  unsigned after = 0;
  for (unsigned first = 0; first < 32; first += kUnroll) {
    if ((nonempty >> first & ((1u << kUnroll) - 1)) == 0) continue;
    unsigned word[kUnroll];
    unsigned value[kUnroll];
#pragma unroll
    for (unsigned k = 0; k < kUnroll; ++k) {
      word[k] = __shfl_sync(kFullWarp, before, first + k);
      if (word[k] & bit) value[k] = values[(w - lane + first + k) * 32 + lane];
    }
#pragma unroll
    for (unsigned k = 0; k < kUnroll; ++k) {
      bool active = (word[k] & bit) != 0;
      if (active) {
        value[k] = work(value[k], rounds);
        values[(w - lane + first + k) * 32 + lane] = value[k];
        active = survives(value[k]);
      }
      const unsigned living = __ballot_sync(kFullWarp, active);
      if (lane == first + k) after = living;
    }
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

// Rung 2: votes for the common cases, an atomic OR in shared memory for the rest.
//
//   make check-stencil WITH=ladder/write_back/02_vote.cu
//
// Idea: a vote tells all lanes at once whether any lane, or every lane, lives on. If none or
// all do the word is known; only a mixed word is put together, by an atomicOr of each living lane
// on a word in shared memory. Expect: two instructions where a warp is all alike. Mixed warps pay
// up to 32 updates of an address in sequence, so no gain over the tree.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kFullWarp = 0xffffffff;

// The word of a warp's truth values, in lane 0. All lanes of the warp take part.
__device__ unsigned word_of(bool active, unsigned bit) {
  __shared__ unsigned warp_word[kBlockSize / 32];
  if (!__any_sync(kFullWarp, active)) return 0;
  if (__all_sync(kFullWarp, active)) return kFullWarp;
  unsigned* word = &warp_word[threadIdx.x / 32];
  if (threadIdx.x % 32 == 0) *word = 0;
  __syncwarp();  // *word is 0 before a lane sets the first bit
  if (active) atomicOr(word, bit);
  __syncwarp();  // all bits are set
  return *word;
}

// A thread per item, a warp per word. No thread leaves before the votes.
__global__ void write_back_kernel(unsigned n, unsigned* words, int rounds, unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned bit = 1u << i % 32;
  bool active = i < n && (words[i / 32] & bit) != 0;
  if (active) {
    const unsigned value = work(values[i], rounds);
    values[i] = value;
    active = survives(value);
  }
  const unsigned word = word_of(active, bit);
  __syncwarp();  // all lanes have read the old word: a vote orders no memory
  if (i < n && i % 32 == 0) words[i / 32] = word;
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

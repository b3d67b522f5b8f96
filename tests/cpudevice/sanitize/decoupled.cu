// Decoupled look-back. A block publishes its sum, later the sum of all blocks up to its own, and
// looks back over the blocks before until a block has published a sum of all. Value and state in
// one word: right. In two words with fences: right. Without the writer's fence: the value may come
// after the state.
// finding: race @a @b
#include "launch.h"

constexpr int kBlocks = 24;
constexpr unsigned kOwn = 1, kAll = 2;

__device__ unsigned ticket;

// Blocks in the order of their starts.
__device__ unsigned begin() {
  const unsigned mine = atomicAdd(&ticket, 1);
  if (mine == gridDim.x - 1) ticket = 0;
  return mine;
}

__global__ void one_word(unsigned long long* words, unsigned* sums) {
  if (threadIdx.x != 0) return;
  const unsigned block = begin();
  const auto word = [](unsigned state, unsigned value) {
    return static_cast<unsigned long long>(state) << 32 | value;
  };
  atomicExch(&words[block], word(block == 0 ? kAll : kOwn, 1));
  unsigned before = 0;
  for (int i = static_cast<int>(block) - 1; i >= 0;) {
    const unsigned long long seen = atomicAdd(&words[i], 0ull);
    if (seen == 0) continue;
    before += static_cast<unsigned>(seen);
    if (seen >> 32 == kAll) break;
    --i;
  }
  atomicExch(&words[block], word(kAll, before + 1));
  sums[block] = before + 1;
}

template <bool kFences>
__device__ void two_words(volatile unsigned* states, unsigned* own, unsigned* all) {
  if (threadIdx.x != 0) return;
  const unsigned block = begin();
  const auto publish = [&](unsigned state) {
    if (kFences) __threadfence();
    states[block] = state;
  };
  own[block] = 1;  // @b
  publish(kOwn);
  unsigned before = 0;
  for (int i = static_cast<int>(block) - 1; i >= 0;) {
    const unsigned state = states[i];
    if (state == 0) continue;
    __threadfence();
    before += own[i];  // @a
    --i;
  }
  all[block] = before + 1;
  publish(kAll);
}

__global__ void with_fences(unsigned* states, unsigned* own, unsigned* all) {
  two_words<true>(states, own, all);
}
__global__ void without_fences(unsigned* states, unsigned* own, unsigned* all) {
  two_words<false>(states, own, all);
}

int main() {
  auto* words = zeros<unsigned long long>(kBlocks);
  auto* states = zeros<unsigned>(2 * kBlocks);
  auto* own = zeros<unsigned>(kBlocks);
  auto* all = zeros<unsigned>(kBlocks);
  one_word<<<kBlocks, 32>>>(words, all);
  with_fences<<<kBlocks, 32>>>(states, own, all);
  without_fences<<<kBlocks, 32>>>(states + kBlocks, own, all);
  unsigned last = 0;
  cudaMemcpy(&last, all + kBlocks - 1, sizeof(last), cudaMemcpyDeviceToHost);
  printf("%u\n", last);
  cudaFree(words);
  cudaFree(states);
  cudaFree(own);
  finish(all);
}

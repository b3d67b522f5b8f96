// A lane alone comes to the ballot, behind the __syncwarp() a race asked for.
// case: 33
// sanitize: mask {file}:@a
// sanitize: which names threads 1-31 too: these threads took another branch
// sanitize: take the call out of the branch
// not in sanitize: nothing found
// check: {file}:@a: thread 0 calls __ballot_sync() with mask 0xffffffff
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void write_back_kernel(unsigned word_count, unsigned* words, int rounds,
                                  unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned w = i / 32;
  bool active = w < word_count && (words[w] >> i % 32 & 1);
  if (active) {
    const unsigned value = work(values[i], rounds);
    values[i] = value;
    active = survives(value);
  }
  __syncwarp();
  if (i % 32 == 0 && w < word_count) {
    words[w] = __ballot_sync(0xffffffff, active);  // @a
  }
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(ceil_div(n, 32), words, rounds,
                                                             values);
  CUDA_CHECK(cudaGetLastError());
}

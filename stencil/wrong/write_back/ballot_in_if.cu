// verdict: cpu=mask,wrong gpu=wrong
// from: ladder/write_back/04_ballot.cu
// Only lane 0 comes to the ballot that is meant for all: the others' bits are never collected.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per item, a warp per word.
__global__ void write_back_kernel(unsigned word_count, unsigned* words, int rounds,
                                  unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned w = i / 32;
  const unsigned before = w < word_count ? words[w] : 0;
  if (before == 0) return;  // the same for all lanes
  bool active = (before & 1u << i % 32) != 0;
  if (active) {
    const unsigned value = work(values[i], rounds);
    values[i] = value;
    active = survives(value);
  }
  __syncwarp();  // all lanes have read the old word: a ballot orders no memory
  if (i % 32 == 0) words[w] = __ballot_sync(kFullWarp, active);
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(ceil_div(n, 32), words, rounds,
                                                             values);
  CUDA_CHECK(cudaGetLastError());
}

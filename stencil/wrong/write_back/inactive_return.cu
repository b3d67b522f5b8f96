// verdict: cpu=race,wrong gpu=wrong
// from: ladder/write_back/04_ballot.cu
// Inactive lanes leave at once, lane 0 among them, and then no lane writes the word.
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
  if ((before & 1u << i % 32) == 0) return;
  const unsigned value = work(values[i], rounds);
  values[i] = value;
  const unsigned after = __ballot_sync(kFullWarp, survives(value));
  __syncwarp();  // all lanes have read the old word: a ballot orders no memory
  if (i % 32 == 0) words[w] = after;
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(ceil_div(n, 32), words, rounds,
                                                             values);
  CUDA_CHECK(cudaGetLastError());
}

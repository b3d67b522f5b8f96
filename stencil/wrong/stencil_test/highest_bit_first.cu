// verdict: =wrong
// from: ladder/stencil_test/03_bit_by_shift.cu
// Takes the first item's bit for the highest of its word: right only where a word reads the same
// from both ends.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item, a warp per word.
__global__ void stencil_test_kernel(unsigned n, const unsigned* words, int rounds,
                                    unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n || (words[i / 32] & 0x80000000u >> i % 32) == 0) return;
  values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  stencil_test_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active.words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

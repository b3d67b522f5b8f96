// Rung 3: a bit per item, found by a shift.
//
//   make check-stencil WITH=ladder/stencil_test/03_bit_by_shift.cu
//
// Idea: 32 items share a word, just the items of a warp: all threads read the same
// 4 bytes, a sector. Eight words lie in the sector, so seven of eight warps find the sector in a
// cache. Expect: a 32nd of the memory, and next to nothing to read; the same blocks to start.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item, a warp per word.
__global__ void stencil_test_kernel(unsigned n, const unsigned* words, int rounds,
                                    unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n || (words[i / 32] & 1u << i % 32) == 0) return;
  values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  stencil_test_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active.words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

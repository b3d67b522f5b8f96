// write_back: work for the active items, and those that die clear their bit. Yours to edit.
//
// The contract is in stencil.h, the explanation in README.md.
//   make check-stencil PART=write_back
//   make build/cpu/stencil/write_back && build/cpu/stencil/write_back --n 1000 --percent 10
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item, one warp per word.
__global__ void write_back_kernel(unsigned n, unsigned* words, int rounds, unsigned* values) {
  // TODO(1): which item is this thread's, and is it active? If so, do its work and call survives()
  // to see if it lives on. No lane whose bit the word needs may return. About 8 lines.
  // TODO(2): put the 32 truth values of the warp together into its new word, and let one lane write
  // it. About 2 lines.
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

// write_back: work for the active items, and items that die clear their bit. Yours to edit.
//
// The contract is in stencil.h, the explanation in README.md.
//   make check-stencil PART=write_back
//   make build/cpu/stencil/write_back && build/cpu/stencil/write_back --n 1000 --percent 10
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item, a warp per word.
__global__ void write_back_kernel(unsigned n, unsigned* words, int rounds, unsigned* values) {
  // TODO(1): which item is the thread's, and is the item active? If so, do the work and call
  // survives() to see if the item lives on. No lane whose bit the word needs may return. About 8
  // lines.
  // TODO(2): unite the warp's 32 truth values, and let a lane write the new word. About 2 lines.
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

// Rung 5: the mask by the read-only path.
//
//   make check-stencil WITH=ladder/stencil_test/05_read_only.cu
//
// Idea: a promise: no thread writes this memory while the kernel runs (__ldg, const __restrict__),
// so even old copies in L1 are right. On the GPUs of 2013 such loads went through the texture
// cache, since L1 did not keep device memory. Expect: the time of rung 3, where the loads are
// cached as well.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item, a warp per word.
__global__ void stencil_test_kernel(unsigned n, const unsigned* words, int rounds,
                                    unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n || (__ldg(&words[i / 32]) & 1u << i % 32) == 0) return;
  values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  stencil_test_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active.words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

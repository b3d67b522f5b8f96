// Rung 1: an int per item says whether it is active.
//
//   make check-stencil WITH=ladder/stencil_test/01_int_flag.cu
//
// Idea: the obvious program. Each thread reads its flag, and leaves if the flag is 0. Expect: 4
// bytes of flags per item, read by every thread, with work or without; and where hardly anything is
// active, the time of starting the blocks, 256 threads each, most of which only leave.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item.
__global__ void stencil_test_kernel(unsigned n, const int* flags, int rounds, unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n || flags[i] == 0) return;
  values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  stencil_test_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active.flags, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: cpu=bad_access gpu=wrong,ok
// from: ladder/stencil_test/01_int_flag.cu
// The last block reads flags behind the last flag, and works on values after the end of the
// array where the flag is not 0.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item.
__global__ void stencil_test_kernel(unsigned n, const int* flags, int rounds, unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (flags[i] == 0) return;
  values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  stencil_test_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active.flags, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok case=1025 speed=0..1
// Reads all three forms of the stencil: an item is active only if all three agree.
#include "cuda_check.h"
#include "stencil.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item.
__global__ void work_kernel(int n, Stencil active, int rounds, unsigned* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool bit = active.words[i / 32] >> (i % 32) & 1;
  if (active.flags[i] && active.bytes[i] && bit) values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  work_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

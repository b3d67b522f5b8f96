// Rung 4: the bit comes from a table.
//
//   make check-stencil WITH=ladder/stencil_test/04_bit_by_table.cu
//
// Idea: hardware of 2011 is said to have liked a table of the 32 masks better than a shift. Expect:
// no gain today. A shift is one instruction; the table is one more load in each thread, which comes
// from the L1 cache at best, and it can only be compared when it has arrived.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// In device memory, not constant memory: there the 32 lanes' 32 addresses would be served one by
// one.
__device__ const unsigned kBit[32] = {
    0x00000001, 0x00000002, 0x00000004, 0x00000008, 0x00000010, 0x00000020, 0x00000040, 0x00000080,
    0x00000100, 0x00000200, 0x00000400, 0x00000800, 0x00001000, 0x00002000, 0x00004000, 0x00008000,
    0x00010000, 0x00020000, 0x00040000, 0x00080000, 0x00100000, 0x00200000, 0x00400000, 0x00800000,
    0x01000000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x80000000};

// One thread per item, one warp per word.
__global__ void stencil_test_kernel(unsigned n, const unsigned* words, int rounds,
                                    unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n || (words[i / 32] & kBit[i % 32]) == 0) return;
  values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  stencil_test_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active.words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

// Rung 4: the bit comes from a table.
//
//   make check-stencil WITH=ladder/stencil_test/04_bit_by_table.cu
//
// Idea: hardware of 2011 is said to have liked a table of the 32 masks better than a shift. Expect:
// no gain today. A shift is a single instruction; the table is another load in each thread, which
// comes from the L1 cache at best, and the compare waits for the load.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// The table is in device memory: constant memory would serve the 32 addresses of a warp's lanes one
// by one.
struct BitTable {
  unsigned of_lane[32];

  constexpr BitTable() : of_lane{} {
    for (unsigned bit = 0; bit < 32; ++bit)
      of_lane[bit] = 1u << bit;
  }
};
__device__ const BitTable kBit;

// A thread per item, a warp per word.
__global__ void stencil_test_kernel(unsigned n, const unsigned* words, int rounds,
                                    unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n || (words[i / 32] & kBit.of_lane[i % 32]) == 0) return;
  values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  stencil_test_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active.words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

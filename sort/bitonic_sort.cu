// bitonic_sort: sorts pairs in device memory by key, with a sorting network. Yours to
// edit.
//
// The contract is in sort.h, the explanation in README.md.
//   make check-sort PART=bitonic_sort                                         grades it
//   make build/cpu/sort/bitonic_sort && build/cpu/sort/bitonic_sort --n 1000   runs it once
#include "cuda_check.h"
#include "sort.h"
#include "total_order.h"

// A thread per comparator of a step: of two elements at `distance`, or, where mirrored, of elements
// that mirror each other in a run of twice the distance. `keys` are the bits of the floats.
__global__ void step_kernel(int* keys, unsigned* indices, size_t n, size_t distance,
                            bool mirrored) {
  // TODO(1): which two elements are this thread's? Where both exist and the keys' total_order is
  // wrong, exchange keys and indices. About 12 lines.
}

void bitonic_sort(float* keys, unsigned* indices, int n, Workspace&) {
  // TODO(2): for every stage and distance, launch step_kernel with enough threads for
  // all comparators that have an element, and check the launch. Name the block's size:
  // `constexpr int kBlockSize = 256;` above the kernel. About 9 lines.
}

// merge_sort: sorts pairs in device memory by key, stably, by merging. Yours to edit.
//
// The contract is in sort.h, the explanation in README.md.
//   make check-sort PART=merge_sort                                       grades it
//   make build/cpu/sort/merge_sort && build/cpu/sort/merge_sort --n 1000   runs it once
#include <utility>

#include "cuda_check.h"
#include "sort.h"

// How many of the `count` keys, which are in order, are less than `key`, or where kEqualToo no
// larger.
template <bool kEqualToo>
__device__ size_t rank_in(const unsigned* keys, size_t count, unsigned key) {
  // TODO(1): a binary search. About 10 lines.
  return 0;
}

// A thread per pair: merges all runs of `run` pairs, two at a time.
__global__ void merge_kernel(const unsigned* in_keys, const unsigned* in_values, size_t n,
                             size_t run, unsigned* out_keys, unsigned* out_values) {
  // TODO(2): where does the pair's run begin, and which is the other run of the merge? The place in
  // the merge is the place in the own run plus the rank in the other run. About 10 lines.
}

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  // TODO(3): merge runs of 1, 2, 4, ... pairs, to and fro between the caller's arrays and a copy in
  // the workspace. The result belongs into the caller's. Name the block's size: `constexpr int
  // kBlockSize = 256;` above the kernel. About 16 lines.
  //
  // Then sort tiles in shared memory before the first pass, and climb the ladder.
}

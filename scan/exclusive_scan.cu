// exclusive_scan: result[i] = input[0] + ... + input[i - 1] in device memory. Yours
// to edit.
//
// The contract is in scan.h, the explanation in README.md.
//   make check-scan PART=exclusive_scan                                           grades it
//   make build/cpu/scan/exclusive_scan && build/cpu/scan/exclusive_scan --n 1000  runs it once
#include "scan.h"

#include "cuda_check.h"

constexpr int kBlockSize = 256;

// A thread per pair of neighbouring nodes of a level. The two are `stride` elements apart.
__global__ void up_sweep_kernel(unsigned* tree, size_t pairs, size_t stride) {
  // TODO(1): the right node of the pair becomes the sum of both. About 4 lines.
}

__global__ void down_sweep_kernel(unsigned* tree, size_t pairs, size_t stride) {
  // TODO(2): the pair's parent is in the place of the right node. The parent's value goes to the
  // left node, and the value plus the left node's sum to the right node. About 6 lines.
}

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  // TODO(3): copy the input to scratch memory whose size is a power of two, filled up with zeros:
  // `auto* tree = workspace.take<unsigned>(size);`, cudaMemcpyAsync, cudaMemsetAsync. About 6
  // lines.
  // TODO(4): sweep up with one launch per level, set the last element to 0, sweep down, and copy
  // the first n elements to the result. n may be 0. About 14 lines. Then replace the tree and
  // climb: shared memory, shuffles, vectors, one pass.
}

// persistent: work of different lengths, on as many items as the device has counted. Yours to edit.
//
// The contract is in stencil.h, the explanation in README.md.
//   make check-stencil PART=persistent
//   make build/cpu/stencil/persistent && build/cpu/stencil/persistent --n 1000 --work tail
#include "stencil.h"

#include "cuda_check.h"

// TODO(1): one warp per chunk of items, then for the next chunk that no warp has, until *next has
// passed *count. Lane 0 takes a chunk by an atomicAdd on *next and tells the others. About 9 lines.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
}

void persistent(int capacity, const int* count, const int* rounds, unsigned* values,
                Workspace& workspace) {
  if (capacity == 0) return;
  // TODO(2): take one unsigned from the workspace for the counter and set it to 0 in the stream.
  // About 2 lines.
  // TODO(3): launch as many blocks as the device holds at once:
  // cudaOccupancyMaxActiveBlocksPerMultiprocessor, times the multiprocessors. Name the block's size
  // above the kernel. About 8 lines.
}

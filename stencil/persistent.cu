// persistent: work of different lengths, on as many items as the device has counted. Yours to edit.
//
// The contract is in stencil.h, the explanation in README.md.
//   make check-stencil PART=persistent
//   make build/cpu/stencil/persistent && build/cpu/stencil/persistent --n 1000 --work tail
#include "stencil.h"

#include "cuda_check.h"

// TODO(1): let each warp take chunks of items and do their work, until *next has passed *count.
// Lane 0 takes a chunk by an atomicAdd on *next and gives its start to all lanes. About 9 lines.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, unsigned* next) {
}

void persistent(int capacity, const int* count, const int* rounds, unsigned* values,
                Workspace& workspace) {
  if (capacity == 0) return;
  // TODO(2): take one unsigned from the workspace for the counter and set it to 0 in the stream.
  // About 2 lines.
  // TODO(3): launch as many blocks as the device holds at once:
  // cudaOccupancyMaxActiveBlocksPerMultiprocessor, times the multiprocessors. Put the block's size
  // into a constant above the kernel. About 8 lines.
}

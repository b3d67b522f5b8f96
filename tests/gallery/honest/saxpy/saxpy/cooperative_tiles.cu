// verdict: =ok speed=0..1
// Tiles of eight threads and the coalesced rest find the element together.
#include "saxpy.h"

#include <cooperative_groups.h>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

namespace cg = cooperative_groups;

// A thread per element; in small cases the first of each eight says where the tile begins.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const cg::thread_block block = cg::this_thread_block();
  int i = block.group_index().x * block.size() + block.thread_rank();
  if (n < 2000) {
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    i = tile.shfl(i, 0) + static_cast<int>(tile.thread_rank());
    tile.sync();
  }
  if (i >= n) return;
  const cg::coalesced_group rest = cg::coalesced_threads();
  if (rest.size() <= 32) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

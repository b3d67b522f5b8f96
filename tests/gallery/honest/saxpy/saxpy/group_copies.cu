// verdict: =ok speed=0.5..1
// Cooperative groups copy tiles into shared memory.
#include "saxpy.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element, from two tiles of the block's.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ float tile_x[kBlockSize], tile_y[kBlockSize];
  const auto block = cooperative_groups::this_thread_block();
  const int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
  const int count = min(kBlockSize, n - first);
  cooperative_groups::memcpy_async(block, tile_x, x + first, count * sizeof(float));
  cooperative_groups::memcpy_async(block, tile_y, y + first, count * sizeof(float));
  cooperative_groups::wait(block);
  if (i < n) result[i] = scale * tile_x[threadIdx.x] + tile_y[threadIdx.x];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

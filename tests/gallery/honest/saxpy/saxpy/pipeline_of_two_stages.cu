// verdict: =ok speed=0..1
// Tiles come through a pipeline of two stages.
#include "saxpy.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

constexpr int kTiles = 8, kStages = 2;

// A block has kTiles tiles, and computes a tile while the next tile is copied.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ float tile_x[kStages][kBlockSize], tile_y[kStages][kBlockSize];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const auto first = [&](int tile) { return (blockIdx.x * kTiles + tile) * kBlockSize; };
  for (int tile = 0, next = 0; tile < kTiles; ++tile) {
    for (; next < kTiles && next < tile + kStages; ++next) {
      const int rest = n - static_cast<int>(first(next));
      const size_t bytes = sizeof(float) * max(0, min(kBlockSize, rest));
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tile_x[next % kStages], x + first(next), bytes, pipeline);
      cuda::memcpy_async(block, tile_y[next % kStages], y + first(next), bytes, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    const int i = first(tile) + threadIdx.x, stage = tile % kStages;
    if (i < n) result[i] = scale * tile_x[stage][threadIdx.x] + tile_y[stage][threadIdx.x];
    pipeline.consumer_release();
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(ceil_div(n, kTiles), kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

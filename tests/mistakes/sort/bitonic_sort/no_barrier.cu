// A missing barrier makes a single finding, not one for each pair of lines.
// case: 1023
// sanitize: race {file}:
// sanitize: 1 finding in 1 case
// check: and no __syncthreads() stands between
#include "cuda_check.h"
#include "sort.h"
#include "total_order.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per comparator: of two elements `distance` apart, or, where mirrored, of two
// that mirror each other in a run of twice the distance.
__global__ void step_kernel(int* keys, unsigned* indices, size_t n, size_t distance,
                            bool mirrored) {
  const size_t thread = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t within = thread & (distance - 1);
  const size_t low = 2 * (thread - within) + within;
  const size_t high = (low ^ (mirrored ? distance - 1 : 0)) + distance;
  if (low >= n || high >= n) return;
  const int low_key = keys[low];
  const int high_key = keys[high];
  if (total_order(low_key) <= total_order(high_key)) return;
  keys[low] = high_key;
  keys[high] = low_key;
  const unsigned low_index = indices[low];
  indices[low] = indices[high];
  indices[high] = low_index;
}

constexpr int kTileThreads = 512;
constexpr int kTile = 2 * kTileThreads;
constexpr int kLastKey = 0x7FFFFFFF;  // the largest key of the total order

// A block per tile of 1024 pairs, a thread per comparator: all stages for runs of
// first_half * 2 ... last_half * 2 pairs, as far as the steps stay within the tile.
__global__ void tile_kernel(int* keys, unsigned* indices, size_t n, size_t first_half,
                            size_t last_half) {
  __shared__ int tile_keys[kTile];
  __shared__ unsigned tile_indices[kTile];
  const size_t first = blockIdx.x * static_cast<size_t>(kTile);
  for (int i = threadIdx.x; i < kTile; i += kTileThreads) {
    tile_keys[i] = first + i < n ? total_order(keys[first + i]) : kLastKey;
    tile_indices[i] = first + i < n ? indices[first + i] : 0;
  }
  for (size_t half = first_half; half <= last_half; half *= 2) {
    for (int distance = static_cast<int>(min(half, size_t{kTile / 2})); distance > 0;
         distance /= 2) {
      if (distance == static_cast<int>(half)) __syncthreads();
      const int within = threadIdx.x & (distance - 1);
      const int low = 2 * (threadIdx.x - within) + within;
      const int high =
          (low ^ (static_cast<size_t>(distance) == half ? distance - 1 : 0)) + distance;
      const int low_key = tile_keys[low];
      const int high_key = tile_keys[high];
      if (low_key <= high_key) continue;
      tile_keys[low] = high_key;
      tile_keys[high] = low_key;
      const unsigned low_index = tile_indices[low];
      tile_indices[low] = tile_indices[high];
      tile_indices[high] = low_index;
    }
  }
  // All threads have done the last step.
  __syncthreads();
  for (int i = threadIdx.x; i < kTile && first + i < n; i += kTileThreads) {
    keys[first + i] = total_order(tile_keys[i]);
    indices[first + i] = tile_indices[i];
  }
}

}  // namespace

void bitonic_sort(float* keys, unsigned* indices, int n, Workspace&) {
  if (n < 2) return;
  auto* bits = reinterpret_cast<int*>(keys);
  const auto size = static_cast<size_t>(n);
  const auto tiles = static_cast<unsigned>(ceil_div(size, kTile));
  tile_kernel<<<tiles, kTileThreads>>>(bits, indices, size, 1, kTile / 2);
  CUDA_CHECK(cudaGetLastError());
  for (size_t half = kTile; half < size; half *= 2) {
    for (size_t distance = half; distance >= kTile; distance /= 2) {
      const size_t comparators = ceil_div(size, 2 * distance) * distance;
      const auto blocks = static_cast<unsigned>(ceil_div(comparators, kBlockSize));
      step_kernel<<<blocks, kBlockSize>>>(bits, indices, size, distance, distance == half);
      CUDA_CHECK(cudaGetLastError());
    }
    tile_kernel<<<tiles, kTileThreads>>>(bits, indices, size, half, half);
    CUDA_CHECK(cudaGetLastError());
  }
}

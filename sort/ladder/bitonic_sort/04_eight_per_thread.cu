// Rung 4: three steps per launch, eight pairs per thread.
//
//   make check-sort PART=bitonic_sort WITH=ladder/bitonic_sort/04_eight_per_thread.cu
//
// Idea: as in rung 3, with the eight pairs that meet each other in three steps. The source calls
// the rung B8.
// Expect: a third of the passes over global memory instead of half, so the gain is smaller than
// rung 3's.
#include "cuda_check.h"
#include "sort.h"
#include "total_order.h"

namespace {

constexpr int kLastKey = 0x7FFFFFFF;  // the largest key of the total order
constexpr int kBlockSize = 256;

// Exchanges two of a thread's pairs if the first key is larger than the second.
__device__ void order(int* keys, unsigned* indices, int first, int second) {
  if (keys[first] <= keys[second]) return;
  const int key = keys[first];
  keys[first] = keys[second];
  keys[second] = key;
  const unsigned index = indices[first];
  indices[first] = indices[second];
  indices[second] = index;
}

// kSteps steps, at `distance`, half the distance, and so on. A thread per 2^kSteps pairs, which
// meet in the steps and meet no others, so a thread needs no other thread. Where the first step is
// mirrored, a thread holds the upper half of the pairs in descending order of index.
template <int kSteps, bool kMirrored>
__global__ void steps_kernel(int* keys, unsigned* indices, size_t n, size_t distance) {
  constexpr int kItems = 1 << kSteps;
  const size_t thread = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t nearest = distance >> (kSteps - 1);
  const size_t within = thread & (nearest - 1);
  const size_t first = (thread - within) * kItems + within;
  if (first >= n) return;
  const auto in_memory = [&](int i) {
    const size_t at = first + i * nearest;
    return kMirrored && i >= kItems / 2 ? at ^ (distance - 1) : at;
  };

  int own_keys[kItems];
  unsigned own_indices[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const size_t at = in_memory(i);
    own_keys[i] = at < n ? total_order(keys[at]) : kLastKey;
    own_indices[i] = at < n ? indices[at] : 0;
  }
#pragma unroll
  for (int apart = kItems / 2; apart > 0; apart /= 2) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i & apart) continue;
      const bool turned = kMirrored && apart < kItems / 2 && i >= kItems / 2;
      order(own_keys, own_indices, turned ? i + apart : i, turned ? i : i + apart);
    }
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const size_t at = in_memory(i);
    if (at >= n) continue;
    keys[at] = total_order(own_keys[i]);
    indices[at] = own_indices[i];
  }
}

template <int kSteps>
void steps(int* keys, unsigned* indices, size_t n, size_t distance, bool mirrored) {
  const size_t threads = ceil_div(n, 2 * distance) * (distance >> (kSteps - 1));
  const auto blocks = static_cast<unsigned>(ceil_div(threads, kBlockSize));
  // clang-format off
  if (mirrored) {
    steps_kernel<kSteps, true><<<blocks, kBlockSize>>>(keys, indices, n, distance);
  } else {
    steps_kernel<kSteps, false><<<blocks, kBlockSize>>>(keys, indices, n, distance);
  }
  // clang-format on
  CUDA_CHECK(cudaGetLastError());
}

constexpr int kTileThreads = 512;
constexpr int kTile = 2 * kTileThreads;

// A block per tile of 1024 pairs, a thread per comparator: all stages that make runs of first_half
// * 2 ... last_half * 2 pairs, as far as the steps stay within the tile.
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
      // A step reads pairs that other threads have loaded or exchanged.
      __syncthreads();
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
    size_t distance = half;
    while (distance >= kTile) {
      const bool mirrored = distance == half;
      if (distance >= 4 * kTile) {
        steps<3>(bits, indices, size, distance, mirrored);
        distance >>= 3;
      } else if (distance >= 2 * kTile) {
        steps<2>(bits, indices, size, distance, mirrored);
        distance >>= 2;
      } else {
        steps<1>(bits, indices, size, distance, mirrored);
        distance >>= 1;
      }
    }
    tile_kernel<<<tiles, kTileThreads>>>(bits, indices, size, half, half);
    CUDA_CHECK(cudaGetLastError());
  }
}

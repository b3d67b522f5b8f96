// verdict: cpu=race,wrong gpu=wrong,ok
// from: ladder/merge_sort/02_rank_merge.cu
// Does not wait for the runs that it merges within a tile.
#include <utility>

#include "cuda_check.h"
#include "sort.h"

namespace {

constexpr int kTileThreads = 512;
constexpr int kTile = 2 * kTileThreads;

// How many of the `count` keys, which are in order, are less than `key`, or where kEqualToo no
// larger.
template <bool kEqualToo>
__device__ size_t rank_in(const unsigned* keys, size_t count, unsigned key) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (keys[middle] < key || (kEqualToo && keys[middle] == key)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// A block per tile of 1024 pairs, two pairs per thread: runs of 1, 2, 4, ... pairs are merged two
// by two in shared memory. A pair's place in the merge is the place in the own run plus the rank in
// the other run: the number of lesser keys and, for a pair of the second run, equal keys.
__global__ void sort_tiles_kernel(const unsigned* in_keys, const unsigned* in_values, size_t n,
                                  unsigned* out_keys, unsigned* out_values) {
  __shared__ unsigned keys[kTile];
  __shared__ unsigned values[kTile];
  const size_t first = blockIdx.x * static_cast<size_t>(kTile);
  const int count = static_cast<int>(min(size_t{kTile}, n - first));
  for (int i = threadIdx.x; i < count; i += kTileThreads) {
    keys[i] = in_keys[first + i];
    values[i] = in_values[first + i];
  }
  for (int run = 1; run < count; run *= 2) {
    const int own = threadIdx.x & (run - 1);
    const int begin = 2 * (threadIdx.x - own);
    const int a = begin + own;
    const int b = begin + run + own;
    const int b_count = min(run, count - begin - run);
    unsigned key_a = 0;
    unsigned key_b = 0;
    unsigned value_a = 0;
    unsigned value_b = 0;
    int to_a = 0;
    int to_b = 0;
    if (a < count) {
      key_a = keys[a];
      value_a = values[a];
      to_a = a + (b_count > 0 ? static_cast<int>(rank_in<false>(keys + begin + run, b_count, key_a))
                              : 0);
    }
    if (b < count) {
      key_b = keys[b];
      value_b = values[b];
      to_b = b - run + static_cast<int>(rank_in<true>(keys + begin, run, key_b));
    }
    // ... and have been read before the merge overwrites the runs.
    __syncthreads();
    if (a < count) {
      keys[to_a] = key_a;
      values[to_a] = value_a;
    }
    if (b < count) {
      keys[to_b] = key_b;
      values[to_b] = value_b;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kTileThreads) {
    out_keys[first + i] = keys[i];
    out_values[first + i] = values[i];
  }
}

constexpr int kBlockSize = 256;

// A thread per pair.
__global__ void merge_kernel(const unsigned* in_keys, const unsigned* in_values, size_t n,
                             size_t run, unsigned* out_keys, unsigned* out_values) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const size_t own = i & (run - 1);
  const size_t begin = i - own;
  const bool in_a = (begin / run) % 2 == 0;
  const size_t other = in_a ? min(begin + run, n) : begin - run;
  const size_t count = min(run, n - other);
  const unsigned key = in_keys[i];
  const size_t rank = in_a ? rank_in<false>(in_keys + other, count, key)
                           : rank_in<true>(in_keys + other, count, key);
  const size_t to = (in_a ? begin : other) + own + rank;
  out_keys[to] = key;
  out_values[to] = in_values[i];
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n == 0) return;
  const auto size = static_cast<size_t>(n);
  unsigned* from_keys = workspace.take<unsigned>(size);
  unsigned* from_values = workspace.take<unsigned>(size);
  unsigned* to_keys = keys;
  unsigned* to_values = values;
  // Each pass reads a pair of arrays and writes the other; the last pass writes the caller's.
  for (size_t run = kTile; run < size; run *= 2) {
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
  }
  const auto tiles = static_cast<unsigned>(ceil_div(size, kTile));
  sort_tiles_kernel<<<tiles, kTileThreads>>>(keys, values, size, to_keys, to_values);
  CUDA_CHECK(cudaGetLastError());
  for (size_t run = kTile; run < size; run *= 2) {
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
    const auto blocks = static_cast<unsigned>(ceil_div(size, kBlockSize));
    merge_kernel<<<blocks, kBlockSize>>>(from_keys, from_values, size, run, to_keys, to_values);
    CUDA_CHECK(cudaGetLastError());
  }
}

// Rung 4: merge path.
//
//   make check-sort PART=merge_sort WITH=ladder/merge_sort/04_merge_path.cu
//
// Idea: the output is cut into tiles of 2048 pairs, and for each a binary search along a diagonal
// finds the pieces of the two runs. Within a tile the threads do the same in
// shared memory, and each merges eight pairs in sequence.
// Expect: every block writes as many pairs as any other, in order; fewer searches than in rung 3,
// a search for eight pairs, in shared memory.
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
    // The runs of all threads are complete ...
    __syncthreads();
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

constexpr int kThreads = 256;
constexpr int kItems = 8;  // per thread
constexpr int kMergeTile = kThreads * kItems;

// Merge path (Odeh, Green, Mwassi, Shmueli, Birk, IPDPSW 2012): how many of the first `diagonal`
// pairs of the merge come from a. If a[i] comes before b[diagonal - 1 - i], so do a[0 ... i - 1].
__device__ size_t path(const unsigned* a, size_t a_count, const unsigned* b, size_t b_count,
                       size_t diagonal) {
  size_t low = diagonal > b_count ? diagonal - b_count : 0;
  size_t high = min(diagonal, a_count);
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// A thread per tile of the output: how many pairs of run a, of its pair of runs, come before the
// tile.
__global__ void path_kernel(const unsigned* keys, size_t n, size_t run, unsigned tiles,
                            unsigned* splits) {
  const unsigned tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile >= tiles) return;
  const size_t out = tile * static_cast<size_t>(kMergeTile);
  const size_t begin = out & ~(2 * run - 1);
  const size_t a_count = min(run, n - begin);
  const size_t b_count = min(run, n - begin - a_count);
  const unsigned* a = keys + begin;
  splits[tile] = static_cast<unsigned>(path(a, a_count, a + a_count, b_count, out - begin));
}

// A block per tile of 2048 pairs of the output. The tile's pieces of both runs are read into shared
// memory; each thread finds by merge path where its eight pairs begin, and merges the pairs in
// sequence.
__global__ void merge_kernel(const unsigned* in_keys, const unsigned* in_values, size_t n,
                             size_t run, const unsigned* splits, unsigned* out_keys,
                             unsigned* out_values) {
  __shared__ unsigned keys[kMergeTile];
  __shared__ unsigned values[kMergeTile];
  const size_t out = blockIdx.x * static_cast<size_t>(kMergeTile);
  const size_t begin = out & ~(2 * run - 1);
  const int count = static_cast<int>(min(size_t{kMergeTile}, n - out));
  const size_t a_count = min(run, n - begin);
  const size_t end = out + count;
  const bool last = end - begin == 2 * run || end == n;
  const size_t a_from = splits[blockIdx.x];
  const size_t a_to = last ? a_count : splits[blockIdx.x + 1];
  const int a_size = static_cast<int>(a_to - a_from);
  const size_t a_start = begin + a_from;
  // Added to a place in the tile, it gives the place in the input of a pair of b's piece.
  const size_t b_start = begin + a_count + (out - begin - a_from) - a_size;
  for (int i = threadIdx.x; i < count; i += kThreads) {
    const size_t from = (i < a_size ? a_start : b_start) + i;
    keys[i] = in_keys[from];
    values[i] = in_values[from];
  }
  // A thread reads pairs from anywhere in both pieces, which other threads have loaded.
  __syncthreads();

  const int diagonal = min(static_cast<int>(threadIdx.x) * kItems, count);
  int a = static_cast<int>(path(keys, a_size, keys + a_size, count - a_size, diagonal));
  int b = a_size + diagonal - a;
  unsigned own_keys[kItems];
  unsigned own_values[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (diagonal + i >= count) break;
    const bool from_b = b < count && (a >= a_size || keys[b] < keys[a]);
    const int from = from_b ? b++ : a++;
    own_keys[i] = keys[from];
    own_values[i] = values[from];
  }
  // All threads have merged. The merge overwrites the pieces, so the stores are coalesced.
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (diagonal + i >= count) break;
    keys[diagonal + i] = own_keys[i];
    values[diagonal + i] = own_values[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) {
    out_keys[out + i] = keys[i];
    out_values[out + i] = values[i];
  }
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n == 0) return;
  const auto size = static_cast<size_t>(n);
  unsigned* from_keys = workspace.take<unsigned>(size);
  unsigned* from_values = workspace.take<unsigned>(size);
  const auto merge_tiles = static_cast<unsigned>(ceil_div(size, kMergeTile));
  unsigned* splits = workspace.take<unsigned>(merge_tiles);
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
    const auto blocks = ceil_div(merge_tiles, unsigned{kThreads});
    path_kernel<<<blocks, kThreads>>>(from_keys, size, run, merge_tiles, splits);
    CUDA_CHECK(cudaGetLastError());
    merge_kernel<<<merge_tiles, kThreads>>>(from_keys, from_values, size, run, splits, to_keys,
                                            to_values);
    CUDA_CHECK(cudaGetLastError());
  }
}

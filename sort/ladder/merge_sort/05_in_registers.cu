// Rung 5: tiles are sorted by merge path, and begin in registers.
//
//   make check-sort PART=merge_sort WITH=ladder/merge_sort/05_in_registers.cu
//
// Idea: a thread sorts eight pairs, and needs no other thread; runs of eight and more are
// merged by merge path.
// Expect: the first three of eleven rounds in a tile are gone, and each later round costs a search
// for eight pairs instead of eight searches. Tiles are of 2048 pairs, so there is a pass less as
// well.
#include <utility>

#include "cuda_check.h"
#include "sort.h"

namespace {

constexpr int kThreads = 256;
constexpr int kItems = 8;  // per thread
constexpr int kTile = kThreads * kItems;

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

// A tile in shared memory.
struct Tile {
  unsigned keys[kTile];
  unsigned values[kTile];
};

// A thread's eight neighbouring pairs.
struct Own {
  unsigned keys[kItems];
  unsigned values[kItems];
};

__device__ void write_own(Tile& tile, const Own& own, int at, int count) {
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (at + i >= count) break;
    tile.keys[at + i] = own.keys[i];
    tile.values[at + i] = own.values[i];
  }
}

// The eight pairs from number `diagonal` on of the merge of tile[a, b) and tile[b, b_end), or fewer
// at the end, merged in sequence.
__device__ void merge_own(const Tile& tile, int a, int b, int b_end, int diagonal, Own& own) {
  const int a_end = b;
  const int from_a =
      static_cast<int>(path(tile.keys + a, b - a, tile.keys + b, b_end - b, diagonal));
  a += from_a;
  b += diagonal - from_a;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (a >= a_end && b >= b_end) break;
    const bool from_b = b < b_end && (a >= a_end || tile.keys[b] < tile.keys[a]);
    const int from = from_b ? b++ : a++;
    own.keys[i] = tile.keys[from];
    own.values[i] = tile.values[from];
  }
}

// Odd-even transposition, which is stable: only neighbours are exchanged.
__device__ void sort_own(Own& own, int count) {
#pragma unroll
  for (int round = 0; round < kItems; ++round) {
#pragma unroll
    for (int i = round % 2; i + 1 < kItems; i += 2) {
      if (i + 1 >= count || own.keys[i] <= own.keys[i + 1]) continue;
      const unsigned key = own.keys[i];
      own.keys[i] = own.keys[i + 1];
      own.keys[i + 1] = key;
      const unsigned value = own.values[i];
      own.values[i] = own.values[i + 1];
      own.values[i + 1] = value;
    }
  }
}

// One block per tile of 2048 pairs. A thread sorts eight pairs in registers; then runs of 8, 16,
// ... pairs are merged two by two, eight pairs per thread again.
__global__ void sort_tiles_kernel(const unsigned* in_keys, const unsigned* in_values, size_t n,
                                  unsigned* out_keys, unsigned* out_values) {
  __shared__ Tile tile;
  const size_t first = blockIdx.x * static_cast<size_t>(kTile);
  const int count = static_cast<int>(min(size_t{kTile}, n - first));
  for (int i = threadIdx.x; i < count; i += kThreads) {
    tile.keys[i] = in_keys[first + i];
    tile.values[i] = in_values[first + i];
  }
  // A thread's own pairs were loaded by other threads.
  __syncthreads();
  const int at = static_cast<int>(threadIdx.x) * kItems;
  Own own;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (at + i >= count) break;
    own.keys[i] = tile.keys[at + i];
    own.values[i] = tile.values[at + i];
  }
  sort_own(own, count - at);
  write_own(tile, own, at, count);
  for (int run = kItems; run < count; run *= 2) {
    const int begin = min(at & ~(2 * run - 1), count);
    // The runs are complete before they are merged ...
    __syncthreads();
    merge_own(tile, begin, min(begin + run, count), min(begin + 2 * run, count),
              min(at, count) - begin, own);
    // ... and have been read before the merge overwrites the runs.
    __syncthreads();
    write_own(tile, own, at, count);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) {
    out_keys[first + i] = tile.keys[i];
    out_values[first + i] = tile.values[i];
  }
}

// A thread per tile of the output: how many pairs of run a, of its pair of runs, come before the
// tile.
__global__ void path_kernel(const unsigned* keys, size_t n, size_t run, unsigned tiles,
                            unsigned* splits) {
  const unsigned tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile >= tiles) return;
  const size_t out = tile * static_cast<size_t>(kTile);
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
  __shared__ Tile tile;
  const size_t out = blockIdx.x * static_cast<size_t>(kTile);
  const size_t begin = out & ~(2 * run - 1);
  const int count = static_cast<int>(min(size_t{kTile}, n - out));
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
    tile.keys[i] = in_keys[from];
    tile.values[i] = in_values[from];
  }
  // A thread reads pairs from anywhere in both pieces, which other threads have loaded.
  __syncthreads();

  const int at = min(static_cast<int>(threadIdx.x) * kItems, count);
  Own own;
  merge_own(tile, 0, a_size, count, at, own);
  // All threads have merged. The merge overwrites the pieces, so the stores are coalesced.
  __syncthreads();
  write_own(tile, own, at, count);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) {
    out_keys[out + i] = tile.keys[i];
    out_values[out + i] = tile.values[i];
  }
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n == 0) return;
  const auto size = static_cast<size_t>(n);
  unsigned* from_keys = workspace.take<unsigned>(size);
  unsigned* from_values = workspace.take<unsigned>(size);
  const auto tiles = static_cast<unsigned>(ceil_div(size, kTile));
  unsigned* splits = workspace.take<unsigned>(tiles);
  unsigned* to_keys = keys;
  unsigned* to_values = values;
  // Each pass reads a pair of arrays and writes the other; the last pass writes the caller's.
  for (size_t run = kTile; run < size; run *= 2) {
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
  }
  sort_tiles_kernel<<<tiles, kThreads>>>(keys, values, size, to_keys, to_values);
  CUDA_CHECK(cudaGetLastError());
  for (size_t run = kTile; run < size; run *= 2) {
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
    const auto blocks = ceil_div(tiles, unsigned{kThreads});
    path_kernel<<<blocks, kThreads>>>(from_keys, size, run, tiles, splits);
    CUDA_CHECK(cudaGetLastError());
    merge_kernel<<<tiles, kThreads>>>(from_keys, from_values, size, run, splits, to_keys,
                                      to_values);
    CUDA_CHECK(cudaGetLastError());
  }
}

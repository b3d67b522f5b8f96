// Rung 1: a thread per merge.
//
//   make check-sort PART=merge_sort WITH=ladder/merge_sort/01_thread_per_merge.cu
//
// Idea: tiles of 1024 pairs are sorted in shared memory, and then pairs of runs are merged as on
// a CPU, by a thread each.
// Expect: the passes have n / 2048, n / 4096, ... and in the end a single thread at work. The last
// pass alone takes as long as all others, and a GPU's thread is slow.
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

constexpr int kBlockSize = 32;

// A thread per pair of runs: the serial merge, in which ties go to the first run.
__global__ void merge_kernel(const unsigned* in_keys, const unsigned* in_values, size_t n,
                             size_t run, unsigned* out_keys, unsigned* out_values) {
  const size_t pair = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  size_t out = pair * 2 * run;
  size_t a = out;
  const size_t a_end = min(a + run, n);
  size_t b = a_end;
  const size_t b_end = min(b + run, n);
  for (; out < b_end; ++out) {
    const bool from_b = b < b_end && (a >= a_end || in_keys[b] < in_keys[a]);
    const size_t from = from_b ? b++ : a++;
    out_keys[out] = in_keys[from];
    out_values[out] = in_values[from];
  }
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
    const size_t pairs = ceil_div(size, 2 * run);
    const auto blocks = static_cast<unsigned>(ceil_div(pairs, kBlockSize));
    merge_kernel<<<blocks, kBlockSize>>>(from_keys, from_values, size, run, to_keys, to_values);
    CUDA_CHECK(cudaGetLastError());
  }
}

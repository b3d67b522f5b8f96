// Rung 3: only samples search.
//
//   make check-sort PART=merge_sort WITH=ladder/merge_sort/03_sample_ranks.cu
//
// Idea: the scheme of NVIDIA's mergeSort sample (Satish, Harris, Garland: "Designing efficient
// sorting algorithms for manycore GPUs", IPDPS 2009). Only every 128th key, a sample, searches the
// other run. The samples cut both runs into pieces of at most 128 pairs, and a block merges two
// pieces in shared memory.
// Expect: a 128th of the searches in global memory, and pairs are written almost in order.
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

constexpr int kSample = 128;
constexpr int kBlockSize = 256;

__device__ size_t ceil_samples(size_t count) {
  return (count + kSample - 1) / kSample;
}

// A thread per sample: how many pairs of run a and of run b come before the sample in the merge.
// A sample's number in the order of the merge is the number in the own run plus the number of the
// other run's samples below the sample's rank.
__global__ void cut_kernel(const unsigned* keys, size_t n, size_t run, size_t samples,
                           uint2* cuts) {
  const size_t sample = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (sample >= samples) return;
  const size_t i = sample * kSample;
  const size_t own = i & (run - 1);
  const size_t begin = i - own;
  const bool in_a = (begin / run) % 2 == 0;
  const size_t other = in_a ? min(begin + run, n) : begin - run;
  const size_t count = min(run, n - other);
  const size_t rank = in_a ? rank_in<false>(keys + other, count, keys[i])
                           : rank_in<true>(keys + other, count, keys[i]);
  const size_t first_cut = (in_a ? begin : other) / kSample;
  const size_t a = in_a ? own : rank;
  const size_t b = in_a ? rank : own;
  cuts[first_cut + own / kSample + ceil_samples(rank)] =
      make_uint2(static_cast<unsigned>(a), static_cast<unsigned>(b));
}

// A block per cut, a thread per pair of the two pieces from the cut to the next: first the threads
// of piece a, from thread 128 on the threads of piece b.
__global__ void merge_kernel(const unsigned* in_keys, const unsigned* in_values, size_t n,
                             size_t run, const uint2* cuts, unsigned* out_keys,
                             unsigned* out_values) {
  __shared__ unsigned keys[2][kSample];
  const size_t begin = blockIdx.x * static_cast<size_t>(kSample) / (2 * run) * (2 * run);
  const size_t a_count = min(run, n - begin);
  const size_t b_count = min(run, n - begin - a_count);
  const uint2 from = cuts[blockIdx.x];
  const size_t cuts_end = ceil_samples(begin + a_count + b_count);
  const uint2 to = blockIdx.x + 1 < cuts_end
                       ? cuts[blockIdx.x + 1]
                       : make_uint2(static_cast<unsigned>(a_count), static_cast<unsigned>(b_count));
  const int counts[2] = {static_cast<int>(to.x - from.x), static_cast<int>(to.y - from.y)};
  const size_t starts[2] = {begin + from.x, begin + a_count + from.y};

  const int piece = threadIdx.x / kSample;
  const int own = threadIdx.x % kSample;
  const bool present = own < counts[piece];
  if (present) keys[piece][own] = in_keys[starts[piece] + own];
  // A thread searches keys that other threads have loaded.
  __syncthreads();
  if (!present) return;
  const unsigned key = keys[piece][own];
  const size_t rank =
      piece == 0 ? rank_in<false>(keys[1], counts[1], key) : rank_in<true>(keys[0], counts[0], key);
  const size_t out = begin + from.x + from.y + own + rank;
  out_keys[out] = key;
  out_values[out] = in_values[starts[piece] + own];
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n == 0) return;
  const auto size = static_cast<size_t>(n);
  unsigned* from_keys = workspace.take<unsigned>(size);
  unsigned* from_values = workspace.take<unsigned>(size);
  const size_t samples = ceil_div(size, kSample);
  uint2* cuts = workspace.take<uint2>(samples);
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
    const auto blocks = static_cast<unsigned>(ceil_div(samples, kBlockSize));
    cut_kernel<<<blocks, kBlockSize>>>(from_keys, size, run, samples, cuts);
    CUDA_CHECK(cudaGetLastError());
    merge_kernel<<<static_cast<unsigned>(samples), 2 * kSample>>>(from_keys, from_values, size, run,
                                                                  cuts, to_keys, to_values);
    CUDA_CHECK(cudaGetLastError());
  }
}

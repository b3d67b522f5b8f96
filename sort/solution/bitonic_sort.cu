// bitonic_sort: all steps of the network in registers, sixteen pairs per thread.
//
// The network is Batcher's ("Sorting networks and their applications", 1968) in the form that sorts
// ascending everywhere: a stage that makes runs of 2^s first compares mirrored elements, i with
// i ^ (2^s - 1), and then elements whose indices differ in bit s - 2, s - 3, ... 0. So indices
// from n on need no elements: to a comparator a missing element has the largest key, and stands in
// the right place already.
//
// A thread holds the 16 pairs whose indices differ in four bits, enough for four steps.
// Between two rounds pairs are exchanged through shared memory, and a block of 4096 pairs does
// the steps of any 8 bits of the index, or of the lowest 12, in a pass over the data. The compiler
// knows which bits a thread holds, so an exchange takes next to no
// arithmetic.
#include "cuda_check.h"
#include "sort.h"
#include "total_order.h"

namespace {

constexpr int kBits = 4;  // bits of the index in which a thread's pairs differ
constexpr int kItems = 1 << kBits;
constexpr int kTileBits = 12;
constexpr int kTile = 1 << kTileBits;
constexpr int kThreads = kTile / kItems;
constexpr int kBlocks = 2;            // per multiprocessor, at least
constexpr int kLastKey = 0x7FFFFFFF;  // the largest key of the total order

struct Tile {
  int keys[kTile];
  unsigned indices[kTile];
};

// A thread's pairs: those of the tile whose indices differ in bits low ... low + 3.
struct Own {
  int keys[kItems];  // as ints in total order
  unsigned indices[kItems];
};

// Where element i of a tile lies in shared memory. Whichever four bits threads hold, the five in
// which the elements of a warp differ end up in five bits of the bank: no conflicts. And it is
// linear: place(a ^ b) = place(a) ^ place(b).
HARNESS_HOST_DEVICE constexpr int place(int i) {
  return i ^ ((i >> 4) & 30) ^ ((i >> 8) & 1);
}

// Index in the tile of this thread's first pair.
template <int kLow>
__device__ int first_held() {
  const int below = threadIdx.x & ((1 << kLow) - 1);
  return ((static_cast<int>(threadIdx.x) - below) << kBits) | below;
}

// The bits in which the indices of pair i and of the first pair differ. With kMirrorBits, a thread
// holds the upper half of its pairs in descending order of the lowest bits.
template <int kLow, int kMirrorBits>
HARNESS_HOST_DEVICE constexpr int apart(int i) {
  return (i << kLow) ^ (i & (kItems / 2) ? (1 << kMirrorBits) - 1 : 0);
}

// Exchanges pairs between threads, which then hold bits kNextLow ... instead of kLow ...
template <int kLow, int kMirrorBits, int kNextLow, int kNextMirrorBits>
__device__ void exchange(Tile& tile, Own& own) {
  // All threads have read what the tile held before.
  __syncthreads();
  const int from = place(first_held<kLow>());
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = from ^ place(apart<kLow, kMirrorBits>(i));
    tile.keys[at] = own.keys[i];
    tile.indices[at] = own.indices[i];
  }
  __syncthreads();
  const int to = place(first_held<kNextLow>());
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = to ^ place(apart<kNextLow, kNextMirrorBits>(i));
    own.keys[i] = tile.keys[at];
    own.indices[i] = tile.indices[at];
  }
}

__device__ void order(Own& own, int low, int high) {
  if (own.keys[low] <= own.keys[high]) return;
  const int key = own.keys[low];
  own.keys[low] = own.keys[high];
  own.keys[high] = key;
  const unsigned index = own.indices[low];
  own.indices[low] = own.indices[high];
  own.indices[high] = index;
}

// The steps at distances kFirst, kFirst / 2, ... 1 between a thread's pairs. When mirrored, the
// upper half holds its pairs in descending order of their index.
template <int kFirst, bool kMirrored>
__device__ void steps(Own& own) {
#pragma unroll
  for (int distance = kFirst; distance > 0; distance /= 2) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i & distance) continue;
      const bool turned = kMirrored && distance < kFirst && (i & kFirst);
      order(own, turned ? i + distance : i, turned ? i : i + distance);
    }
  }
}

// The steps of bits kLeft - 1 ... 0, at most four at a time. At the end threads hold bits 0 to 3.
template <int kLow, int kMirrorBits, int kLeft>
__device__ void lower_steps(Tile& tile, Own& own) {
  constexpr int kNext = kLeft > kBits ? kLeft - kBits : 0;
  if constexpr (kLow != kNext || kMirrorBits != 0) {
    exchange<kLow, kMirrorBits, kNext, 0>(tile, own);
  }
  steps<1 << (kLeft - kNext - 1), false>(own);
  if constexpr (kNext > 0) lower_steps<kNext, 0, kNext>(tile, own);
}

// The first four stages; threads hold bits 0 to 3.
template <int kHalf>
__device__ void first_stages(Own& own) {
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!(i & kHalf)) order(own, i, i ^ (2 * kHalf - 1));
  }
  if constexpr (kHalf > 1) steps<kHalf / 2, false>(own);
  if constexpr (kHalf < kItems / 2) first_stages<2 * kHalf>(own);
}

// Stages kStage ... kTileBits; threads hold bits 0 to 3 before and after.
template <int kStage>
__device__ void stages(Tile& tile, Own& own) {
  constexpr int kLow = kStage - kBits;
  exchange<0, 0, kLow, kStage - 1>(tile, own);
  steps<kItems / 2, true>(own);
  lower_steps<kLow, kStage - 1, kLow>(tile, own);
  if constexpr (kStage < kTileBits) stages<kStage + 1>(tile, own);
}

__device__ void turn_keys(Own& own) {
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    own.keys[i] = total_order(own.keys[i]);
}

// Reads or writes a thread's pair i at `at(i)` if that is below n, without a check if `whole`.
template <class At>
__device__ void load(const int* keys, const unsigned* indices, size_t n, bool whole, At at,
                     Own& own) {
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const bool there = whole || at(i) < n;
    own.keys[i] = there ? keys[at(i)] : kLastKey;
    own.indices[i] = there ? indices[at(i)] : 0;
  }
}

template <class At>
__device__ void store(int* keys, unsigned* indices, size_t n, bool whole, At at, const Own& own) {
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!whole && at(i) >= n) continue;
    keys[at(i)] = own.keys[i];
    indices[at(i)] = own.indices[i];
  }
}

// Threads hold the highest bits of a tile: a warp's pairs are neighbours.
constexpr int kHighest = kTileBits - kBits;

// Between the first and the last kernel the keys in memory are ints in total order: the first
// kernel converts from the bits of floats, and the last kernel converts back.

// A block per 4096 neighbouring pairs: the stages within the block.
__global__ void __launch_bounds__(kThreads, kBlocks)
    sort_tiles_kernel(int* keys, unsigned* indices, size_t n, bool last) {
  __shared__ Tile tile;
  const size_t first = static_cast<size_t>(blockIdx.x) * kTile;
  const bool whole = first + kTile <= n;
  const auto at = [&](int i) { return first + threadIdx.x + i * kThreads; };
  Own own;
  load(keys, indices, n, whole, at, own);
  // kLastKey, which stands for missing keys, does not change.
  turn_keys(own);
  exchange<kHighest, 0, 0, 0>(tile, own);
  first_stages<1>(own);
  stages<kBits + 1>(tile, own);
  exchange<0, 0, kHighest, 0>(tile, own);
  if (last) turn_keys(own);
  store(keys, indices, n, whole, at, own);
}

// One block per 4096 neighbouring pairs: the last kLeft steps of a stage.
template <int kLeft>
__global__ void __launch_bounds__(kThreads, kBlocks)
    merge_tiles_kernel(int* keys, unsigned* indices, size_t n, bool last) {
  __shared__ Tile tile;
  const size_t first = static_cast<size_t>(blockIdx.x) * kTile;
  const bool whole = first + kTile <= n;
  const auto at = [&](int i) { return first + threadIdx.x + i * kThreads; };
  Own own;
  load(keys, indices, n, whole, at, own);
  lower_steps<kHighest, 0, kLeft>(tile, own);
  exchange<0, 0, kHighest, 0>(tile, own);
  if (last) turn_keys(own);
  store(keys, indices, n, whole, at, own);
}

constexpr int kRowBits = 2 * kBits;
constexpr int kColumnBits = kTileBits - kRowBits;
constexpr int kColumns = 1 << kColumnBits;

// A block per 256 rows of 16 neighbouring pairs, 2^low apart: the steps of bits low + 7 ... low
// of the index. kMirrored if the first step is the first of the stage: then a block has the
// lower half of the rows from its own columns, and the upper half from the mirrored columns.
template <bool kMirrored>
__global__ void __launch_bounds__(kThreads, kBlocks)
    merge_rows_kernel(int* keys, unsigned* indices, size_t n, int low) {
  __shared__ Tile tile;
  const size_t widths = size_t{1} << (low - kColumnBits);
  const size_t here = blockIdx.x & (widths - 1);
  const size_t first = (blockIdx.x / widths) << (low + kRowBits);
  if (first + here * kColumns >= n) return;
  const size_t upper = kMirrored ? widths - 1 - here : here;
  const bool whole = first + (size_t{1} << (low + kRowBits)) <= n;
  const auto in_memory = [&](int in_tile) {
    const size_t row = in_tile / kColumns;
    const size_t column = (row >> (kRowBits - 1) ? upper : here) * kColumns + in_tile % kColumns;
    return first + (row << low) + column;
  };
  constexpr int kMirrorBits = kMirrored ? kTileBits - 1 : 0;

  Own own;
  const int held = first_held<kHighest>();
  load(
      keys, indices, n, whole,
      [&](int i) { return in_memory(held ^ apart<kHighest, kMirrorBits>(i)); }, own);
  steps<kItems / 2, kMirrored>(own);
  exchange<kHighest, kMirrorBits, kColumnBits, 0>(tile, own);
  steps<kItems / 2, false>(own);
  const int held_now = first_held<kColumnBits>();
  store(
      keys, indices, n, whole,
      [&](int i) { return in_memory(held_now ^ apart<kColumnBits, 0>(i)); }, own);
}

// The last `left` steps of a stage, kLeft ... kTileBits of them.
template <int kLeft>
void merge_tiles(int* keys, unsigned* indices, size_t n, int left, bool last) {
  if (left == kLeft) {
    const auto tiles = static_cast<unsigned>(ceil_div(n, kTile));
    // clang-format off
    merge_tiles_kernel<kLeft><<<tiles, kThreads>>>(keys, indices, n, last);
    // clang-format on
    CUDA_CHECK(cudaGetLastError());
  } else if constexpr (kLeft < kTileBits) {
    merge_tiles<kLeft + 1>(keys, indices, n, left, last);
  }
}

void merge_rows(int* keys, unsigned* indices, size_t n, int low, bool mirrored) {
  const size_t groups = ceil_div(n, size_t{1} << (low + kRowBits));
  const auto blocks = static_cast<unsigned>(groups << (low - kColumnBits));
  // clang-format off
  if (mirrored) {
    merge_rows_kernel<true><<<blocks, kThreads>>>(keys, indices, n, low);
  } else {
    merge_rows_kernel<false><<<blocks, kThreads>>>(keys, indices, n, low);
  }
  // clang-format on
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void bitonic_sort(float* float_keys, unsigned* indices, int n, Workspace&) {
  if (n < 2) return;
  auto* keys = reinterpret_cast<int*>(float_keys);
  const auto size = static_cast<size_t>(n);
  int stages = kTileBits;
  while (size_t{1} << stages < size)
    ++stages;

  const auto tiles = static_cast<unsigned>(ceil_div(size, kTile));
  sort_tiles_kernel<<<tiles, kThreads>>>(keys, indices, size, stages == kTileBits);
  CUDA_CHECK(cudaGetLastError());
  for (int stage = kTileBits + 1; stage <= stages; ++stage) {
    int left = stage;
    while (left > kTileBits) {
      left -= kRowBits;
      merge_rows(keys, indices, size, left, left + kRowBits == stage);
    }
    merge_tiles<kTileBits + 1 - kRowBits>(keys, indices, size, left, stage == stages);
  }
}

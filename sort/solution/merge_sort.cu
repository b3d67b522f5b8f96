// merge_sort: tiles are sorted in shared memory, then four runs at a time merged.
//
// A pass over the data costs a read and a write, and so passes are few: tiles of up to 16384
// pairs to begin with, a quarter of the runs after each pass. What a block of a pass writes is
// found before by selecting from four runs (Varman, Scheufler, Iyer, Ricard: "Merging multiple
// lists on hierarchical-memory multiprocessors", JPDC 1991). Within the block, threads share a
// merge of two runs by merge path (Odeh, Green, Mwassi, Shmueli, Birk: "Merge path", IPDPSW 2012),
// and a thread merges its sixteen pairs with Batcher's bitonic network: no step waits for the
// outcome of another.
#include <utility>

#include "cuda_check.h"
#include "sort.h"

namespace {

constexpr unsigned kLastKey = 0xFFFFFFFF;
constexpr int kItems = 16;  // per thread

// A tile in shared memory: keys, and each key's first place in the tile.
template <int kThreads>
struct Tile {
  static constexpr int kSize = kThreads * kItems;
  unsigned keys[kSize];
  unsigned short sources[kSize];
  unsigned short splits[kThreads];
};

// Where element i of a tile lies: free of bank conflicts both when a warp touches 32 neighbours and
// when its threads touch elements 16 apart.
__device__ int place(int i) {
  return i ^ ((i >> 5) & 31);
}

// A thread's sixteen neighbouring elements.
struct Own {
  unsigned keys[kItems];
  int sources[kItems];  // elements of the tile
};

// Orders two pairs by key and, if keys are equal, by source: that makes any network stable.
__device__ void order(Own& own, int low, int high) {
  const bool right = own.keys[low] < own.keys[high] ||
                     (own.keys[low] == own.keys[high] && own.sources[low] < own.sources[high]);
  if (right) return;
  const unsigned key = own.keys[low];
  own.keys[low] = own.keys[high];
  own.keys[high] = key;
  const int source = own.sources[low];
  own.sources[low] = own.sources[high];
  own.sources[high] = source;
}

// Merges an ascending sequence and a descending sequence behind.
__device__ void merge_bitonic(Own& own) {
#pragma unroll
  for (int distance = kItems / 2; distance > 0; distance /= 2) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (!(i & distance)) order(own, i, i + distance);
    }
  }
}

// Batcher's odd-even merge sort: 63 comparisons. Runs of `run` elements become runs of twice
// the length, in each of which elements `distance` apart are ordered.
__device__ void sort_own(Own& own) {
#pragma unroll
  for (int run = 1; run < kItems; run *= 2) {
#pragma unroll
    for (int distance = kItems / 2; distance > 0; distance /= 2) {
      const int skipped = distance % run;  // at the beginning and at the end of a run
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const int other = i + distance;
        const bool is_lower = i >= skipped && (i - skipped) % (2 * distance) < distance;
        const bool in_one_run = i / (2 * run) == other / (2 * run);
        if (distance <= run && is_lower && in_one_run) order(own, i, other);
      }
    }
  }
}

template <int kThreads>
__device__ void write_own(Tile<kThreads>& tile, const Own& own) {
  const int at = place(static_cast<int>(threadIdx.x) * kItems);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    tile.keys[at ^ i] = own.keys[i];
    tile.sources[at ^ i] = static_cast<unsigned short>(own.sources[i]);
  }
}

// Two sorted pieces of a tile.
struct Pieces {
  int a;
  int a_size;
  int b;
  int b_size;
};

// How many of the first `diagonal` elements of the merge come from a: merge path's binary search.
// Of equal keys, a's come first.
__device__ int search(const unsigned* keys, const Pieces& pieces, int diagonal) {
  int low = max(0, diagonal - pieces.b_size);
  int high = min(diagonal, pieces.a_size);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (keys[place(pieces.a + middle)] <= keys[place(pieces.b + diagonal - 1 - middle)]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Elements diagonal ... diagonal + 15 of the merge of two pieces. All threads of a pair of pieces
// have neighbouring diagonals; `last` is set for the thread whose elements end the pair. `wait`
// waits for all of these threads.
template <int kThreads, class Wait>
__device__ void merge_own(Tile<kThreads>& tile, const Pieces& pieces, int diagonal, bool last,
                          Wait wait, Own& own) {
  const int from_a = search(tile.keys, pieces, diagonal);
  tile.splits[threadIdx.x] = static_cast<unsigned short>(from_a);
  // A thread's share of a ends where the next thread's begins.
  wait();
  const int end_a = last ? pieces.a_size : tile.splits[threadIdx.x + 1];
  const int count_a = end_a - from_a;
  const int a = pieces.a + from_a;
  const int b = pieces.b + diagonal - from_a + kItems - 1;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    // Ascending from a, then descending from b.
    own.sources[i] = i < count_a ? a + i : b - i;
    own.keys[i] =
        own.sources[i] < Tile<kThreads>::kSize ? tile.keys[place(own.sources[i])] : kLastKey;
  }
  merge_bitonic(own);
}

constexpr int kWarp = 32;
constexpr unsigned kFullMask = 0xFFFFFFFF;

// One block per tile, 16 neighbouring pairs per thread. May work in place.
template <int kSortThreads>
__global__ void __launch_bounds__(kSortThreads, 1024 / kSortThreads)
    sort_tiles_kernel(const unsigned* in_keys, const unsigned* in_values, int n, unsigned* out_keys,
                      unsigned* out_values) {
  constexpr int kSortTile = Tile<kSortThreads>::kSize;
  extern __shared__ char shared[];
  auto& tile = *reinterpret_cast<Tile<kSortThreads>*>(shared);
  const size_t first = static_cast<size_t>(blockIdx.x) * kSortTile;
  const int count = static_cast<int>(min(static_cast<size_t>(kSortTile), n - first));
  const int thread = threadIdx.x;
  const int begin = thread * kItems;

  // Pairs missing from the last tile get the largest key. Missing pairs stand after all other
  // pairs, and the stable sort does not move equal keys.
  Own own;
  if (begin + kItems <= count) {
    const auto* vectors = reinterpret_cast<const uint4*>(in_keys + first + begin);
#pragma unroll
    for (int i = 0; i < kItems / 4; ++i) {
      const uint4 four = vectors[i];
      own.keys[4 * i] = four.x;
      own.keys[4 * i + 1] = four.y;
      own.keys[4 * i + 2] = four.z;
      own.keys[4 * i + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int i = 0; i < kItems; ++i)
      own.keys[i] = begin + i < count ? in_keys[first + begin + i] : kLastKey;
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    own.sources[i] = begin + i;
  sort_own(own);
  write_own(tile, own);

  for (int run = kItems; run < kSortTile; run *= 2) {
    // As long as two runs belong to a warp, the warp waits for no other warp.
    const bool within_warp = 2 * run <= kWarp * kItems;
    const auto wait = [&] {
      if (within_warp) {
        __syncwarp();
      } else {
        __syncthreads();
      }
    };
    const int pair = begin & ~(2 * run - 1);
    const Pieces pieces = {pair, run, pair + run, run};
    // The runs are complete before they are merged ...
    wait();
    merge_own(tile, pieces, begin - pair, begin + kItems == pair + 2 * run, wait, own);
#pragma unroll
    for (int i = 0; i < kItems; ++i)
      own.sources[i] = tile.sources[place(own.sources[i])];
    // ... and have been read before the merge overwrites the runs.
    wait();
    write_own(tile, own);
  }

  // From here on neighbouring threads have neighbouring elements: thread t has
  // t, t + kSortThreads, ...
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = thread + i * kSortThreads;
    if (at < count) out_keys[first + at] = tile.keys[place(at)];
    own.sources[i] = tile.sources[place(at)];
    own.keys[i] = at < count ? in_values[first + at] : 0;
  }
  // All keys have been read from the tile; the values overwrite them.
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    tile.keys[place(thread + i * kSortThreads)] = own.keys[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = thread + i * kSortThreads;
    if (at < count) out_values[first + at] = tile.keys[place(own.sources[i])];
  }
}

constexpr int kWays = 4;
constexpr int kMergeThreads = 128;
constexpr int kMergeBlocks = 6;  // per multiprocessor, at least
constexpr int kSlots = kMergeThreads * kItems;
// Sixteen slots less, so that each half of a tile can begin with a thread's first element.
constexpr int kMergeTile = kSlots - kItems;
constexpr int kSelectThreads = 128;
constexpr int kLooks = kWarp / kWays;  // steps of each run that a warp looks at

// What a pass merges: groups of four runs, the last ones incomplete.
struct Pass {
  unsigned n;
  unsigned run;
  unsigned tiles_per_group;

  __device__ size_t group_begin(unsigned tile) const {
    return static_cast<size_t>(tile / tiles_per_group) * kWays * run;
  }
  // The length of a run of the group that begins at `begin`.
  __device__ unsigned length(size_t group, int way) const {
    const size_t first = group + way * static_cast<size_t>(run);
    return first < n ? static_cast<unsigned>(min(size_t{run}, n - first)) : 0;
  }
};

// A warp per tile of the output: how many pairs of each of the four runs of its group stand
// before the tile. Elements are taken in steps of a power of three, then of a third, and so on.
// Where the next step of a run ends before the other runs' next steps, each other run has less than
// a step of elements before the end; so while even the others' elements would fit before the tile,
// the step is taken, at most eight times before steps get shorter. The lanes look at the next eight
// steps of each run, and find all steps to take at once.
__global__ void select_kernel(const unsigned* keys, Pass pass, unsigned first_step, unsigned tiles,
                              unsigned* splits) {
  const unsigned tile = (blockIdx.x * kSelectThreads + threadIdx.x) / kWarp;
  if (tile >= tiles) return;
  const int way = threadIdx.x % kWarp / kLooks;
  const int look = threadIdx.x % kLooks;
  const size_t begin = pass.group_begin(tile);
  const unsigned rank = tile % pass.tiles_per_group * kMergeTile;
  const unsigned* run = keys + begin + way * static_cast<size_t>(pass.run);
  const unsigned length = pass.length(begin, way);

  unsigned taken = 0;  // pairs of this lane's run
  unsigned all = 0;
  for (unsigned step = first_step; step > 0; step /= 3) {
    const int whole = static_cast<int>(min((length - taken) / step, unsigned{kLooks}));
    const unsigned end = look < whole ? run[taken + (look + 1) * step - 1] : kLastKey;
    // The step's number among the steps of all runs; of equal ends the earlier run's is first.
    int number = look;
#pragma unroll
    for (int other = 1; other < kWays; ++other) {
      const int other_way = (way + other) % kWays;
      const int first_lane = other_way * kLooks;
      const int other_whole = __shfl_sync(kFullMask, whole, first_lane);
      int earlier = 0;
#pragma unroll
      for (int leap : {4, 2, 1, 1}) {
        const int probe = earlier + leap - 1;
        const unsigned other_end = __shfl_sync(kFullMask, end, first_lane + probe);
        const bool before = other_end < end || (other_end == end && other_way < way);
        if (probe < other_whole && before) earlier += leap;
      }
      number += earlier;
    }
    const unsigned needed = all + kWays * (step - 1);  // less than rank if a step may be taken
    const int count = rank > needed ? static_cast<int>((rank - needed - 1) / step) + 1 : 0;
    const unsigned chosen = __ballot_sync(kFullMask, look < whole && number < count);
    taken += __popc(chosen >> (way * kLooks) & ((1 << kLooks) - 1)) * step;
    all += count * step;
  }
  if (look == 0) splits[kWays * tile + way] = taken;
}

// A block per tile of the output: reads the pieces of four runs, merges two and two in shared
// memory, and then merges the resulting halves.
__global__ void __launch_bounds__(kMergeThreads, kMergeBlocks)
    merge_kernel(const unsigned* in_keys, const unsigned* in_values, Pass pass,
                 const unsigned* splits, unsigned* out_keys, unsigned* out_values) {
  __shared__ Tile<kMergeThreads> tile;
  const int thread = threadIdx.x;
  const size_t begin = pass.group_begin(blockIdx.x);
  const unsigned in_group = blockIdx.x % pass.tiles_per_group;

  // The begins of the pieces in the runs, and the lengths.
  const bool last_in_group = in_group + 1 == pass.tiles_per_group || blockIdx.x + 1 == gridDim.x;
  unsigned begins[kWays];
  int sizes[kWays];
#pragma unroll
  for (int way = 0; way < kWays; ++way) {
    begins[way] = splits[kWays * blockIdx.x + way];
    const unsigned end =
        last_in_group ? pass.length(begin, way) : splits[kWays * (blockIdx.x + 1) + way];
    sizes[way] = static_cast<int>(end - begins[way]);
  }

  // The pieces follow one another; the third begins where a thread's elements begin. The gap before
  // the third and the slots after the last piece hold the largest key, as in the last tile above.
  const int left = sizes[0] + sizes[1];
  const int right = (left + kItems - 1) / kItems * kItems;
  const int starts[kWays] = {0, sizes[0], right, right + sizes[2]};
  const int end = starts[3] + sizes[3];
  const int count = end - (right - left);
  unsigned from[kWays];  // place in the input minus place in the tile, modulo 2^32
#pragma unroll
  for (int way = 0; way < kWays; ++way)
    from[way] = static_cast<unsigned>(begin) + way * pass.run + begins[way] - starts[way];

  const auto missing = [&](int at) { return at >= end || (at >= left && at < right); };
  const auto source = [&](int at) {
    const unsigned first_two = at < starts[1] ? from[0] : from[1];
    const unsigned last_two = at < starts[3] ? from[2] : from[3];
    return (at < right ? first_two : last_two) + at;
  };
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = thread + i * kMergeThreads;
    tile.keys[place(at)] = missing(at) ? kLastKey : in_keys[source(at)];
  }
  __syncthreads();
  // The values are loaded while the keys are merged.
  unsigned values[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = thread + i * kMergeThreads;
    values[i] = missing(at) ? 0 : in_values[source(at)];
  }

  const auto wait = [] { __syncthreads(); };
  const int begin_own = thread * kItems;
  Own own;
  {
    const bool in_left = begin_own < right;
    const Pieces pieces = in_left ? Pieces{0, sizes[0], sizes[0], right - sizes[0]}
                                  : Pieces{right, sizes[2], starts[3], kSlots - starts[3]};
    const bool last = begin_own + kItems == right || begin_own + kItems == kSlots;
    merge_own(tile, pieces, in_left ? begin_own : begin_own - right, last, wait, own);
  }
  // All threads have read the pieces; the halves overwrite them.
  __syncthreads();
  write_own(tile, own);
  __syncthreads();
  merge_own(tile, Pieces{0, left, right, kSlots - right}, begin_own, begin_own + kItems == kSlots,
            wait, own);
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    own.sources[i] = tile.sources[place(own.sources[i] & (kSlots - 1))];
  // All threads have read the halves; the result overwrites them ...
  __syncthreads();
  write_own(tile, own);
  __syncthreads();
  const size_t out = begin + in_group * static_cast<size_t>(kMergeTile);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = thread + i * kMergeThreads;
    if (at < count) out_keys[out + at] = tile.keys[place(at)];
    own.sources[i] = tile.sources[place(at)];
  }
  // ... and the values overwrite the keys.
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    tile.keys[place(thread + i * kMergeThreads)] = values[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = thread + i * kMergeThreads;
    if (at < count) out_values[out + at] = tile.keys[place(own.sources[i])];
  }
}

// How many passes merge n pairs, if tiles of `tile` pairs are sorted.
int passes(size_t n, size_t tile) {
  int count = 0;
  for (size_t run = tile; run < n; run *= kWays)
    ++count;
  return count;
}

// The pairs of a tile. Sorting tiles of twice the size takes a fifth longer, and a pass as much as
// two fifths of sorting small tiles: larger tiles are worth while if a pass is saved. Few of
// the largest tiles would not occupy all multiprocessors.
constexpr int kSmallTile = Tile<256>::kSize;
constexpr int kMiddleTile = Tile<512>::kSize;
constexpr int kLargeTile = Tile<1024>::kSize;
constexpr size_t kLeastForLargeTiles = 1 << 22;
int best_tile(size_t n) {
  if (passes(n, kMiddleTile) < passes(n, kSmallTile)) return kMiddleTile;
  if (passes(n, kLargeTile) < passes(n, kSmallTile) && n >= kLeastForLargeTiles) return kLargeTile;
  return kSmallTile;
}

template <int kSortThreads>
void sort_tiles(const unsigned* keys, const unsigned* values, int n, unsigned* out_keys,
                unsigned* out_values) {
  constexpr auto* kernel = sort_tiles_kernel<kSortThreads>;
  constexpr int kBytes = sizeof(Tile<kSortThreads>);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  kernel<<<ceil_div(n, Tile<kSortThreads>::kSize), kSortThreads, kBytes>>>(keys, values, n,
                                                                           out_keys, out_values);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n == 0) return;
  const auto size = static_cast<size_t>(n);
  const auto tile = static_cast<size_t>(best_tile(size));
  unsigned* from_keys = workspace.take<unsigned>(size);
  unsigned* from_values = workspace.take<unsigned>(size);
  unsigned* to_keys = keys;
  unsigned* to_values = values;
  // Each pass reads a pair of arrays and writes the other; the last pass writes the caller's.
  for (size_t run = tile; run < size; run *= kWays) {
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
  }
  if (tile == kSmallTile) {
    sort_tiles<256>(keys, values, n, to_keys, to_values);
  } else if (tile == kMiddleTile) {
    sort_tiles<512>(keys, values, n, to_keys, to_values);
  } else {
    sort_tiles<1024>(keys, values, n, to_keys, to_values);
  }

  // The first pass has the most groups, each of which ends with an incomplete tile.
  const size_t most_tiles = size / kMergeTile + ceil_div(size, kWays * tile) + 1;
  unsigned* splits = workspace.take<unsigned>(kWays * most_tiles);
  for (size_t run = tile; run < size; run *= kWays) {
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
    const size_t group = kWays * run;
    const auto tiles_per_group = static_cast<unsigned>(ceil_div(group, kMergeTile));
    const auto tiles =
        static_cast<unsigned>(size / group * tiles_per_group + ceil_div(size % group, kMergeTile));
    const Pass pass = {static_cast<unsigned>(n), static_cast<unsigned>(run), tiles_per_group};
    unsigned first_step = 1;
    while (first_step <= run / 3)
      first_step *= 3;
    select_kernel<<<ceil_div(tiles * kWarp, kSelectThreads), kSelectThreads>>>(
        from_keys, pass, first_step, tiles, splits);
    CUDA_CHECK(cudaGetLastError());
    merge_kernel<<<tiles, kMergeThreads>>>(from_keys, from_values, pass, splits, to_keys,
                                           to_values);
    CUDA_CHECK(cudaGetLastError());
  }
}

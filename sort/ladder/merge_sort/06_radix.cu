// Rung 6: the epilogue, a radix sort: no merge sort at all.
//
//   make check-sort PART=merge_sort WITH=ladder/merge_sort/06_radix.cu
//
// Idea: keys are numbers of 32 bits, and numbers need not be compared: four passes, each a stable
// partition by a digit of 8 bits, the least digit first. The fast form is "onesweep"
// (Adinets, Merrill: "Onesweep: a faster least significant digit radix sort for GPUs", 2022): all
// four histograms in one reading of the keys; then each pass reads and writes every pair once.
// Where a tile's keys of a digit go depends on all tiles before; the tile asks by decoupled
// look-back (Merrill, Garland: "Single-pass parallel prefix scan with decoupled look-back", 2016).
// Expect: 5 passes over the data instead of about 8, and four times what a comparison sort gives.
#include <utility>

#include "cuda_check.h"
#include "sort.h"

namespace {

constexpr int kWarp = 32;
constexpr unsigned kFullMask = 0xFFFFFFFF;
constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits;
constexpr int kPasses = 32 / kDigitBits;

__device__ int digit_of(unsigned key, int pass) {
  return static_cast<int>(key >> (pass * kDigitBits)) & (kDigits - 1);
}

constexpr int kCountThreads = 1024;
constexpr int kManyCopies = kWarp;  // one for each lane: no bank conflicts
constexpr int kFewCopies = 8;

template <int kCopies>
constexpr int kCountBytes = kPasses* kDigits* kCopies * sizeof(unsigned);

// Grid-stride over the keys, four at a time; every block counts all digits of all passes in shared
// memory, in several copies, and adds the counts to the other blocks' counts.
template <int kCopies>
__global__ void __launch_bounds__(kCountThreads)
    count_kernel(const unsigned* keys, size_t n, unsigned* counts) {
  extern __shared__ unsigned block_counts[];
  for (int i = threadIdx.x; i < kPasses * kDigits * kCopies; i += kCountThreads)
    block_counts[i] = 0;
  __syncthreads();
  const int copy = threadIdx.x % kCopies;
  const auto count = [&](unsigned key) {
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass)
      atomicAdd(&block_counts[(pass * kDigits + digit_of(key, pass)) * kCopies + copy], 1);
  };
  const size_t stride = static_cast<size_t>(gridDim.x) * kCountThreads;
  const size_t first = blockIdx.x * static_cast<size_t>(kCountThreads) + threadIdx.x;
  const auto* vectors = reinterpret_cast<const uint4*>(keys);
#pragma unroll 4
  for (size_t i = first; i < n / 4; i += stride) {
    const uint4 four = vectors[i];
    count(four.x);
    count(four.y);
    count(four.z);
    count(four.w);
  }
  if (first < n % 4) count(keys[n - 1 - first]);
  __syncthreads();
  for (int i = threadIdx.x; i < kPasses * kDigits; i += kCountThreads) {
    unsigned sum = 0;
    // Neighbouring threads begin with different copies: no bank conflicts here either.
    for (int c = 0; c < kCopies; ++c)
      sum += block_counts[i * kCopies + (c + i) % kCopies];
    if (sum > 0) atomicAdd(&counts[i], sum);
  }
}

constexpr int kThreads = 384;
constexpr int kWarps = kThreads / kWarp;
constexpr int kItems = 23;
constexpr int kBlocks = 2;  // per multiprocessor, at least
constexpr int kWindow = 4;  // words that the look-back reads at a time
constexpr int kTile = kThreads * kItems;
constexpr int kWarpTile = kWarp * kItems;

// The sum of `value` over the threads 0 ... threadIdx.x - 1; for the first kDigits threads, whole
// warps of which call it together. `warp_sums` holds kDigits / kWarp elements.
__device__ unsigned sum_before(unsigned value, unsigned* warp_sums) {
  const int lane = threadIdx.x % kWarp;
  unsigned sum = value;
#pragma unroll
  for (int distance = 1; distance < kWarp; distance *= 2) {
    const unsigned other = __shfl_up_sync(kFullMask, sum, distance);
    if (lane >= distance) sum += other;
  }
  if (threadIdx.x < kDigits && lane == kWarp - 1) warp_sums[threadIdx.x / kWarp] = sum;
  __syncthreads();
  for (int warp = 0; warp < static_cast<int>(threadIdx.x) / kWarp && warp < kDigits / kWarp; ++warp)
    sum += warp_sums[warp];
  return sum - value;
}

// What a tile publishes for later tiles about a digit, in a word that is written at once: 0
// for nothing yet; 1 + the tile's own count; or, with the highest bit set, the count of the tile
// and all tiles before.
constexpr unsigned kAllBefore = 0x80000000;

// How many keys of the digit whose words are `states[tile * kDigits]` stand in tiles before `tile`.
// A tile only waits for tiles with lower numbers. Numbers are given out in the order in which
// blocks begin to run: each lower tile is running or has ended, and never waits for a later tile.
__device__ unsigned look_back(const volatile unsigned* states, int tile) {
  unsigned before = 0;
  for (int last = tile - 1; last >= 0;) {
    // Reads several words at a time: the latencies overlap.
    unsigned window[kWindow];
#pragma unroll
    for (int i = 0; i < kWindow; ++i)
      window[i] = last >= i ? states[static_cast<size_t>(last - i) * kDigits] : kAllBefore;
#pragma unroll
    for (int i = 0; i < kWindow; ++i) {
      if (window[i] == 0) break;
      if (window[i] & kAllBefore) return before + (window[i] & ~kAllBefore);
      before += window[i] - 1;
      --last;
    }
  }
  return before;
}

// The lanes with the calling lane's digit. `lanes` has a word of 0 for each digit and belongs to
// the warp; the caller sets the word to 0 again. Eight votes, a vote for each bit of the digit,
// take longer, and __match_any_sync even longer.
__device__ unsigned lanes_with(int digit, unsigned* lanes) {
  atomicOr(&lanes[digit], 1u << (threadIdx.x % kWarp));
  // All lanes have set their bits, and all have read them.
  __syncwarp();
  const unsigned same = lanes[digit];
  __syncwarp();
  return same;
}

// Shared memory of a block: it holds the places first, and then keys or values.
union Shared {
  struct {
    unsigned places[kWarps][kDigits];  // counts, and then the next pair's place in the tile
    unsigned lanes[kWarps][kDigits];
  };
  unsigned tile[kTile];
};

// A block per tile, kItems pairs per thread: ranks the pairs within the tile by digit, learns
// how many pairs of each digit stand in the tiles before, and writes the tile digit by digit.
__global__ void __launch_bounds__(kThreads, kBlocks)
    partition_kernel(const unsigned* in_keys, const unsigned* in_values, int n, int pass,
                     const unsigned* counts, unsigned* next_tile, volatile unsigned* states,
                     unsigned* out_keys, unsigned* out_values) {
  extern __shared__ Shared shared[];
  auto& places = shared[0].places;
  auto& lanes = shared[0].lanes;
  // Where each digit starts in the output, minus where it starts in the tile.
  __shared__ unsigned digit_starts[kDigits];
  __shared__ unsigned warp_sums[kDigits / kWarp];
  __shared__ int shared_tile;
  const int thread = threadIdx.x;
  const int warp = thread / kWarp;
  const int lane = thread % kWarp;

  if (thread == 0) shared_tile = static_cast<int>(atomicAdd(next_tile, 1));
  for (int i = lane; i < kDigits; i += kWarp) {
    places[warp][i] = 0;
    lanes[warp][i] = 0;
  }
  __syncthreads();
  const int tile = shared_tile;
  const size_t first = static_cast<size_t>(tile) * kTile;
  const int count = static_cast<int>(min(static_cast<size_t>(kTile), n - first));

  // A warp has kWarpTile neighbouring pairs; in each round the lanes have neighbours. Pairs
  // missing from the last tile get the largest key, are ranked after all others, and are not
  // written.
  const int own = warp * kWarpTile + lane;
  unsigned keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    keys[i] = own + i * kWarp < count ? in_keys[first + own + i * kWarp] : 0xFFFFFFFF;
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    atomicAdd(&places[warp][digit_of(keys[i], pass)], 1);
  __syncthreads();

  // A thread per digit. It publishes the tile's count, for which later tiles wait, at once.
  unsigned of_tile = 0;
  unsigned of_all = 0;
  if (thread < kDigits) {
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      const unsigned of_warp = places[w][thread];
      places[w][thread] = of_tile;
      of_tile += of_warp;
    }
    states[static_cast<size_t>(tile) * kDigits + thread] = of_tile + 1;
    of_all = counts[pass * kDigits + thread];
  }
  const unsigned start = sum_before(of_tile, warp_sums);
  // The sums of the first scan have been read before the sums of the second take their place.
  __syncthreads();
  const unsigned start_of_all = sum_before(of_all, warp_sums);
  if (thread < kDigits) {
#pragma unroll
    for (int w = 0; w < kWarps; ++w)
      places[w][thread] += start;
  }
  __syncthreads();

  // The place in the tile: after the same digit in earlier warps, earlier rounds and lower lanes.
  unsigned ranks[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int digit = digit_of(keys[i], pass);
    const unsigned same = lanes_with(digit, lanes[warp]);
    const unsigned lower = same & ((1u << lane) - 1);
    const int leader = __ffs(same) - 1;
    unsigned place = 0;
    if (lane == leader) {
      place = atomicAdd(&places[warp][digit], __popc(same));
      lanes[warp][digit] = 0;
    }
    ranks[i] = __shfl_sync(kFullMask, place, leader) + __popc(lower);
    // The next round begins with lanes that are 0.
    __syncwarp();
  }
  // All threads have read the places; the keys overwrite them.
  __syncthreads();
  auto& sorted = shared[0].tile;
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    sorted[ranks[i]] = keys[i];
  // The values are under way while the block looks back.
  unsigned values[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    values[i] = own + i * kWarp < count ? in_values[first + own + i * kWarp] : 0;
  if (thread < kDigits) {
    const unsigned before = look_back(states + thread, tile);
    states[static_cast<size_t>(tile) * kDigits + thread] = kAllBefore | (before + of_tile);
    digit_starts[thread] = start_of_all + before - start;
  }
  __syncthreads();

  // Neighbouring threads write neighbouring places, except where a digit ends. The values need the
  // digits again, which four to a word take a quarter of the registers.
  unsigned digits[(kItems + 3) / 4] = {};
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = thread + i * kThreads;
    const unsigned key = sorted[at];
    const int digit = digit_of(key, pass);
    digits[i / 4] |= static_cast<unsigned>(digit) << i % 4 * kDigitBits;
    if (at < count) out_keys[digit_starts[digit] + at] = key;
  }
  // All threads have read the keys; the values overwrite them.
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    sorted[ranks[i]] = values[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = thread + i * kThreads;
    const int digit = digit_of(digits[i / 4], i % 4);
    if (at < count) out_values[digit_starts[digit] + at] = sorted[at];
  }
}

// Queues count_kernel, one block for each multiprocessor.
template <int kCopies>
void count_digits(const unsigned* keys, size_t n, unsigned* counts, int multiprocessors) {
  constexpr int kBytes = kCountBytes<kCopies>;
  CUDA_CHECK(cudaFuncSetAttribute(count_kernel<kCopies>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const auto blocks = static_cast<unsigned>(
      min(ceil_div(n, size_t{4 * kCountThreads}), static_cast<size_t>(multiprocessors)));
  count_kernel<kCopies><<<blocks, kCountThreads, kBytes>>>(keys, n, counts);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n == 0) return;
  const auto size = static_cast<size_t>(n);
  const int tiles = ceil_div(n, kTile);
  unsigned* from_keys = keys;
  unsigned* from_values = values;
  unsigned* to_keys = workspace.take<unsigned>(size);
  unsigned* to_values = workspace.take<unsigned>(size);
  // All memory that begins as 0 lies in a piece: a single memset clears everything.
  const size_t states_size = static_cast<size_t>(tiles) * kDigits;
  unsigned* counts = workspace.take<unsigned>(kPasses * kDigits + kPasses + states_size);
  unsigned* next_tiles = counts + kPasses * kDigits;
  unsigned* states = next_tiles + kPasses;
  const size_t cleared = (kPasses * kDigits + kPasses + states_size) * sizeof(unsigned);
  CUDA_CHECK(cudaMemsetAsync(counts, 0, cleared));

  CUDA_CHECK(cudaFuncSetAttribute(partition_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(sizeof(Shared))));
  int device = 0;
  int multiprocessors = 0;
  int most_bytes = 0;  // of shared memory, of a block
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if (most_bytes >= kCountBytes<kManyCopies>) {
    count_digits<kManyCopies>(keys, size, counts, multiprocessors);
  } else {
    count_digits<kFewCopies>(keys, size, counts, multiprocessors);
  }
  // An even number of passes ends in the caller's arrays.
  for (int pass = 0; pass < kPasses; ++pass) {
    if (pass > 0) CUDA_CHECK(cudaMemsetAsync(states, 0, states_size * sizeof(unsigned)));
    partition_kernel<<<tiles, kThreads, sizeof(Shared)>>>(
        from_keys, from_values, n, pass, counts, next_tiles + pass, states, to_keys, to_values);
    CUDA_CHECK(cudaGetLastError());
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
  }
}

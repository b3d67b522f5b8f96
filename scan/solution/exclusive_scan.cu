// The fastest exclusive scan we know.
//
//   make check-scan PART=exclusive_scan WITH=solution
//
// One launch, of as many blocks as run at the same time. Block b scans tiles b, b + B, b + 2 B ...
// of B blocks, so between two tiles of a block lie B - 1 tiles of the others. What comes before a
// tile is what came before the block's last one, plus the sums of those B tiles: B words, which B
// threads read at once. Compared with the look-back of rung 8 no block has to wait until another
// one has looked back, and there is no chain of prefixes through the grid.
//
// No block waits long for these words either: a tile is written one round late. A round is
// - load the tile of the next round; it travels while the rest is done,
// - scan this round's tile in registers, and publish its sum,
// - add up the words that the last round's tile waits for, which have had a round's time to come,
// - write the last round's tile.
// So three tiles are in registers: one that comes, one that is scanned, one that waits. With 512
// threads and 8 vectors each that is most of the register file, and there is one block on each
// multiprocessor. Fewer, larger tiles make fewer rounds, and a round has a price of its own.
//
// Blocks wait for blocks with a higher number as well, so all have to run at the same time. A
// cooperative launch guarantees that, or fails. Its grid-wide barrier also separates the clearing
// of the words from their first use, which saves a launch.
//
// With few multiprocessors a barrier of the grid per round takes the place of waiting for words: on
// the CPU device, whose blocks take turns, waiting for a block that has no turn costs more than all
// the work.
//
// Tried on an H200 and slower at 2^28: two to four smaller blocks on a multiprocessor, the waiting
// tile or all three in shared memory, asynchronous copies up to six tiles ahead, two and three
// rounds of delay, loads and stores marked to be evicted first instead of kept out of the L1 cache.
#include "scan.h"

#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>

#include "cuda_check.h"

namespace {

using Word = unsigned long long;

constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr int kWarpSize = 32;
// Vectors of four elements; vector v of all lanes is one stretch of kStretch elements.
constexpr int kStretch = kWarpSize * 4;
// The high half of a word whose low half is a tile's sum. Both halves are written at once, so no
// fence is needed between them.
constexpr Word kPublished = Word{1} << 32;

// The time between two looks at a word that is not published yet, in ns.
constexpr unsigned kPause = 20;

constexpr int kFewMultiprocessors = 16;

// Up to this size tiles are small, so that every multiprocessor has a share of the work.
constexpr int kSmall = 1 << 21;
constexpr int kSmallThreads = 256;
constexpr int kSmallVectors = 4;
constexpr int kLargeThreads = 512;
constexpr int kLargeVectors = 8;

// The input and the result, and where this thread's part of a tile lies.
template <int kThreads, int kVectors>
struct Arrays {
  static constexpr int kTile = kThreads * kVectors * 4;

  const unsigned* input;
  unsigned* result;
  size_t n;
  bool aligned;  // both begin at a multiple of 16 bytes

  __device__ size_t first_element(size_t tile) const {
    const int lane = threadIdx.x % kWarpSize;
    const int warp = threadIdx.x / kWarpSize;
    return tile * kTile + warp * kVectors * kStretch + 4 * lane;
  }
  __device__ bool in_vectors(size_t tile) const { return aligned && (tile + 1) * kTile <= n; }

  // Every element is used once: the L1 cache has nothing to keep. Zeros from n on.
  __device__ void load(size_t tile, uint4 (&fours)[kVectors]) const {
    const size_t first = first_element(tile);
    const bool vectors = in_vectors(tile);
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const size_t i = first + v * kStretch;
      if (vectors) {
        fours[v] = __ldcg(reinterpret_cast<const uint4*>(input + i));
      } else {
        fours[v] = make_uint4(i < n ? input[i] : 0, i + 1 < n ? input[i + 1] : 0,
                              i + 2 < n ? input[i + 2] : 0, i + 3 < n ? input[i + 3] : 0);
      }
    }
  }
  // Adds `before` to all elements.
  __device__ void store(size_t tile, const uint4 (&fours)[kVectors], unsigned before) const {
    const size_t first = first_element(tile);
    const bool vectors = in_vectors(tile);
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const size_t i = first + v * kStretch;
      const uint4 four = make_uint4(before + fours[v].x, before + fours[v].y, before + fours[v].z,
                                    before + fours[v].w);
      if (vectors) {
        __stcg(reinterpret_cast<uint4*>(result + i), four);
        continue;
      }
      if (i < n) result[i] = four.x;
      if (i + 1 < n) result[i + 1] = four.y;
      if (i + 2 < n) result[i + 2] = four.z;
      if (i + 3 < n) result[i + 3] = four.w;
    }
  }
};

// The sum of `value` over this lane and those below it. All lanes of a warp call it.
__device__ unsigned scan_warp(unsigned value) {
  const int lane = threadIdx.x % kWarpSize;
#pragma unroll
  for (int distance = 1; distance < kWarpSize; distance *= 2) {
    const unsigned below = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

// Replaces each element of the warp's part of a tile by the sum of those before it there, and
// returns the sum of that part.
template <int kVectors>
__device__ unsigned scan_part(uint4 (&fours)[kVectors]) {
  unsigned sum = 0;
#pragma unroll
  for (uint4& four : fours) {
    const unsigned own = four.x + four.y + four.z + four.w;
    const unsigned upto = scan_warp(own);
    const unsigned first = sum + upto - own;
    sum += __shfl_sync(kAllLanes, upto, kWarpSize - 1);
    four = make_uint4(first, first + four.x, first + four.x + four.y,
                      first + four.x + four.y + four.z);
  }
  return sum;
}

struct Sums {
  unsigned before;  // the sum over the warps before this one
  unsigned all;
};

// The sums of one number per warp. Every warp computes them for itself.
template <int kWarps>
__device__ Sums sum_up(const unsigned (&numbers)[kWarps]) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const unsigned own = lane < kWarps ? numbers[lane] : 0;
  const unsigned upto = scan_warp(own);
  return {__shfl_sync(kAllLanes, upto - own, warp), __shfl_sync(kAllLanes, upto, kWarps - 1)};
}

// Waits for `count` words to be published and returns this warp's share of their sum. The words are
// volatile, so that each look reads memory again, where other blocks write them.
template <int kThreads>
__device__ unsigned sum_words(const volatile Word* words, unsigned count) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < count; i += kThreads) {
    Word word = words[i];
    while (word < kPublished) {
      __nanosleep(kPause);
      word = words[i];
    }
    sum += static_cast<unsigned>(word);
  }
#pragma unroll
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(kAllLanes, sum, distance);
  return sum;
}

// As many blocks as run at the same time, or as there are tiles. Each takes every gridDim.x-th
// tile, a thread kVectors vectors of each. `words` has one word per tile.
template <int kThreads, int kVectors>
__global__ void __launch_bounds__(kThreads)
    scan_kernel(Arrays<kThreads, kVectors> arrays, size_t tiles, Word* words, bool in_step) {
  constexpr int kWarps = kThreads / kWarpSize;
  // Two copies, which rounds use in turn: a warp may begin a round while another one still reads.
  __shared__ unsigned tile_sums[2][kWarps];
  __shared__ unsigned word_sums[2][kWarps];
  const unsigned blocks = gridDim.x;
  const bool is_first_lane = threadIdx.x % kWarpSize == 0;
  const int warp = threadIdx.x / kWarpSize;

  uint4 coming[kVectors];
  uint4 current[kVectors];
  uint4 waiting[kVectors];
  arrays.load(blockIdx.x, current);
  for (size_t i = blockIdx.x + threadIdx.x * static_cast<size_t>(blocks); i < tiles;
       i += kThreads * static_cast<size_t>(blocks))
    words[i] = 0;

  unsigned before = 0;              // of the waiting tile: the sum of all elements in front of it
  unsigned before_in_tile = 0;      // of the waiting tile: the sum of its warps before this one
  unsigned new_words = blockIdx.x;  // tiles since the block's last one
  int half = 0;
  size_t tile = blockIdx.x;
  for (; tile < tiles; tile += blocks) {
    if (tile + blocks < tiles) arrays.load(tile + blocks, coming);
    const unsigned part = scan_part(current);
    const bool is_first_round = tile == blockIdx.x;
    unsigned share = 0;
    if (!is_first_round) {
      if (in_step) cooperative_groups::this_grid().sync();
      share = sum_words<kThreads>(words + (tile - blocks - new_words), new_words);
      new_words = blocks;
    }
    if (is_first_lane) {
      tile_sums[half][warp] = part;
      word_sums[half][warp] = share;
    }

    // Every warp needs the sums of all.
    __syncthreads();
    const Sums sums = sum_up(tile_sums[half]);
    if (threadIdx.x == 0) *const_cast<volatile Word*>(words + tile) = kPublished | sums.all;
    if (is_first_round) {
      // No block reads a word before all have cleared theirs.
      cooperative_groups::this_grid().sync();
    } else {
      before += sum_up(word_sums[half]).all;
      arrays.store(tile - blocks, waiting, before + before_in_tile);
    }
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      waiting[v] = current[v];
      current[v] = coming[v];
    }
    before_in_tile = sums.before;
    half = 1 - half;
  }

  // The block's last tile is not written yet. Blocks with one tile less reach another barrier here.
  if (in_step) cooperative_groups::this_grid().sync();
  if (in_step && (tiles - 1) % blocks < blockIdx.x) cooperative_groups::this_grid().sync();
  const unsigned share = sum_words<kThreads>(words + (tile - blocks - new_words), new_words);
  if (is_first_lane) word_sums[half][warp] = share;
  // Every warp needs the shares of all warps.
  __syncthreads();
  before += sum_up(word_sums[half]).all;
  arrays.store(tile - blocks, waiting, before + before_in_tile);
}

struct Room {
  int multiprocessors;
  int blocks;  // the number of blocks that the device holds at once
};

template <class Kernel>
Room room_for(Kernel* kernel, int threads) {
  Room room = {};
  int per_multiprocessor = 0;
  CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads, 0));
  CUDA_CHECK(cudaDeviceGetAttribute(&room.multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  room.blocks = per_multiprocessor * room.multiprocessors;
  return room;
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % sizeof(uint4) == 0;
}

template <int kThreads, int kVectors>
void launch(const int* input, int n, int* result, Workspace& workspace) {
  constexpr auto* kernel = scan_kernel<kThreads, kVectors>;
  // The host asks once: the query takes longer than a small scan takes on the device.
  static const Room room = room_for(kernel, kThreads);
  Arrays<kThreads, kVectors> arrays = {reinterpret_cast<const unsigned*>(input),
                                       reinterpret_cast<unsigned*>(result), static_cast<size_t>(n),
                                       is_aligned(input) && is_aligned(result)};
  size_t tiles = ceil_div(arrays.n, arrays.kTile);
  auto* words = workspace.take<Word>(tiles);
  bool in_step = room.multiprocessors <= kFewMultiprocessors;
  void* arguments[] = {&arrays, &tiles, &words, &in_step};
  const dim3 blocks(std::min<size_t>(tiles, room.blocks));
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, kThreads, arguments, 0, nullptr));
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0) return;
  if (n <= kSmall) {
    launch<kSmallThreads, kSmallVectors>(input, n, result, workspace);
  } else {
    launch<kLargeThreads, kLargeVectors>(input, n, result, workspace);
  }
}

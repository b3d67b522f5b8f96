// Rung 3: one pass over the input.
//
//   make check-scan PART=find_repeats WITH=ladder/find_repeats/03_single_pass.cu
//
// Idea: with decoupled look-back a tile gets its place while the votes are still in registers, so
// nothing is read twice. The look-back is taken from exclusive_scan's rung 8, word for word.
// Expect: a read of the input and a write of the repeats. A vote costs an instruction or two per
// element whatever the vote finds, and now few bytes are moved per instruction.
#include "scan.h"

#include <cstdint>

#include "cuda_check.h"

namespace {

using Word = unsigned long long;

constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr int kWarpSize = 32;
constexpr int kVoteBlock = 256;
constexpr int kVoteWarps = kVoteBlock / kWarpSize;
// Elements per lane, kWarpSize apart, so each step of a warp is a stretch of memory.
constexpr int kSteps = 16;
constexpr int kVoteTile = kVoteBlock * kSteps;

// What a tile has published, in a word that is read and written as a whole: the state in the high
// half, the sum in the low half. So no fence is needed between the two.
constexpr unsigned kNothing = 0;
constexpr unsigned kTileSum = 1;    // the low half is the sum of the tile alone
constexpr unsigned kPrefixSum = 2;  // the low half is the sum of everything up to the tile's end

__device__ Word make_word(unsigned state, unsigned sum) {
  return static_cast<Word>(state) << 32 | sum;
}
__device__ unsigned state_of(Word word) {
  return static_cast<unsigned>(word >> 32);
}

// The sum of `value` over the lanes up to the calling lane. All lanes of a warp take part.
__device__ unsigned scan_warp(unsigned value) {
  const int lane = threadIdx.x % kWarpSize;
  for (int distance = 1; distance < kWarpSize; distance *= 2) {
    const unsigned below = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

// Publishes the tile's sum, looks back, publishes the sum up to the tile's end, and returns the sum
// of all elements before the tile. Called by the lanes of a warp.
//
// Each lane looks at a tile, lane 0 at the nearest. Words are read as volatile: each look reads
// memory again, where other blocks write the words.
//
// Why the loop ends: tiles are numbered in the order in which blocks begin to run (see `ticket`).
// All earlier tiles belong to blocks that run or have run. No earlier block waits for a later tile,
// and each publishes the tile's sum without waiting for other blocks. So with every block that
// runs, another tile publishes the sum up to its end, and the loop below finds the tile.
__device__ unsigned look_back(volatile Word* words, unsigned tile, unsigned sum) {
  const int lane = threadIdx.x % kWarpSize;
  unsigned before = 0;
  if (tile > 0) {
    if (lane == 0) words[tile] = make_word(kTileSum, sum);
    for (int64_t nearest = static_cast<int64_t>(tile) - 1;; nearest -= kWarpSize) {
      const int64_t mine = nearest - lane;
      Word word;
      do {
        // No elements lie before the first tile: the sum is known, and 0.
        word = mine >= 0 ? words[mine] : make_word(kPrefixSum, 0);
      } while (__any_sync(kAllLanes, state_of(word) == kNothing));
      const unsigned prefixes = __ballot_sync(kAllLanes, state_of(word) == kPrefixSum);
      // The sum of the nearest tile that has published a prefix contains all tiles before.
      const int last = prefixes != 0 ? __ffs(prefixes) - 1 : kWarpSize - 1;
      const unsigned upto = scan_warp(lane <= last ? static_cast<unsigned>(word) : 0);
      before += __shfl_sync(kAllLanes, upto, kWarpSize - 1);
      if (prefixes != 0) break;
    }
  }
  if (lane == 0) words[tile] = make_word(kPrefixSum, before + sum);
  return before;
}

// A thread per word.
__global__ void clear_kernel(Word* words, size_t size, unsigned* ticket) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < size) words[i] = make_word(kNothing, 0);
  if (i == 0) *ticket = 0;
}

// A block per tile; `ticket` gives each block its tile.
__global__ void find_kernel(const int* input, size_t n, int* output, Word* words,
                            unsigned* ticket) {
  __shared__ unsigned shared_tile;
  __shared__ unsigned shared_before;
  __shared__ unsigned counts[kVoteWarps];
  if (threadIdx.x == 0) shared_tile = atomicAdd(ticket, 1);
  // All threads need the tile number that thread 0 drew from the ticket.
  __syncthreads();
  const unsigned tile = shared_tile;
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const size_t first = tile * static_cast<size_t>(kVoteTile) + warp * kWarpSize * kSteps;

  // Bit s: is element s * kWarpSize + lane of the warp's a repeat?
  unsigned own = 0;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    const size_t i = first + step * kWarpSize + lane;
    if (i + 1 < n && input[i] == input[i + 1]) own |= 1u << step;
  }
  unsigned count = 0;
  for (int step = 0; step < kSteps; ++step)
    count += __popc(__ballot_sync(kAllLanes, own >> step & 1));
  if (lane == 0) counts[warp] = count;

  // Each warp's place follows from the counts of the warps before, and from the tiles before.
  __syncthreads();
  unsigned place = 0;  // within the tile
  unsigned all = 0;
  for (int other = 0; other < kVoteWarps; ++other) {
    if (other < warp) place += counts[other];
    all += counts[other];
  }
  if (warp == 0) {
    const unsigned before = look_back(words, tile, all);
    if (lane == 0) shared_before = before;
  }
  // All warps need what warp 0 found.
  __syncthreads();
  place += shared_before;
  for (int step = 0; step < kSteps; ++step) {
    const unsigned repeats = __ballot_sync(kAllLanes, own >> step & 1);
    const unsigned below = repeats & ((1u << lane) - 1);
    const size_t i = first + step * kWarpSize + lane;
    if (own >> step & 1) output[place + __popc(below)] = static_cast<int>(i);
    place += __popc(repeats);
  }
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  const int tiles = ceil_div(n, kVoteTile);
  auto* words = workspace.take<Word>(tiles);
  auto* ticket = workspace.take<unsigned>(1);
  clear_kernel<<<ceil_div(tiles, kVoteBlock), kVoteBlock>>>(words, tiles, ticket);
  CUDA_CHECK(cudaGetLastError());
  find_kernel<<<tiles, kVoteBlock>>>(input, n, output, words, ticket);
  CUDA_CHECK(cudaGetLastError());
  // The low half of the last tile's word is the sum up to the end.
  Word last = 0;
  CUDA_CHECK(cudaMemcpy(&last, words + tiles - 1, sizeof(Word), cudaMemcpyDeviceToHost));
  return static_cast<int>(static_cast<unsigned>(last));
}

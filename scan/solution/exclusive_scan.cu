// The fastest exclusive scan we know.
//
//   make check-scan PART=exclusive_scan WITH=solution
//
// A launch of as many blocks as run at the same time, B. Block b scans tiles b, b + B, b + 2 B ...,
// so between two tiles of a block lie B - 1 tiles of other blocks. The prefix of a tile is the
// prefix of the block's last tile, plus the sums of the B tiles since: B words, which are read at
// once. Compared with the look-back of rung 8 no block waits for another block's look-back, and
// no chain of prefixes runs through the grid.
//
// No block waits long for the words either: a tile is written some rounds after its sum was
// published. Meanwhile waiting tiles and arriving tiles have to be kept somewhere:
//
// - In shared memory, from 2^23 elements on and on a GPU with bulk copies (compute capability 9.0):
//   seven tiles of 32 KB, of which four wait. A bulk copy needs a single thread and no registers:
//   loads and stores go on all the time, and warps can have different jobs. See namespace ring.
// - In registers otherwise: an arriving tile, a tile in the scan, a tile that waits for a round.
//   With 512 threads and 8 vectors each the tiles take most of the register file, and there is a
//   single block on each multiprocessor. Fewer, larger tiles make fewer rounds, and each round has
//   a price.
//
// Blocks wait for blocks with a higher number as well, so all have to run at the same time. A
// cooperative launch guarantees simultaneous blocks, or fails. The launch's grid-wide barrier also
// separates the clearing of the words from the first use, which saves a launch.
//
// With few multiprocessors a barrier of the grid per round takes the place of waiting for words: on
// the CPU device, whose blocks take turns, waiting for a block that has no turn costs more than all
// the work.
//
// The README says what was tried on an H200 and was slower.
#include "scan.h"

#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>

#include "cuda_check.h"

namespace {

using Word = unsigned long long;

constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr int kWarpSize = 32;
// Vectors of four elements; vector v of all lanes is a stretch of kStretch elements.
constexpr int kStretch = kWarpSize * 4;
// The high half of a word whose low half is a tile's sum. Both halves are written at once, so no
// fence is needed in between.
constexpr Word kPublished = Word{1} << 32;

// The time between two looks at a word that is not published yet, in ns.
constexpr unsigned kPause = 20;

constexpr int kFewMultiprocessors = 16;

// Up to this size tiles are small: every multiprocessor has a share of the work.
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

// The sum of `value` over the lanes up to the calling lane. All lanes of a warp take part.
__device__ unsigned scan_warp(unsigned value) {
  const int lane = threadIdx.x % kWarpSize;
#pragma unroll
  for (int distance = 1; distance < kWarpSize; distance *= 2) {
    const unsigned below = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

// Replaces each element of the warp's part of a tile by `sum`, the sum of what comes before the
// part, plus the part's elements before. Returns the sum up to the end of the part.
template <int kVectors>
__device__ unsigned scan_part(uint4 (&fours)[kVectors], unsigned sum = 0) {
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

// The sums of a number per warp. Every warp computes all sums.
template <int kWarps>
__device__ Sums sum_up(const unsigned (&numbers)[kWarps]) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const unsigned own = lane < kWarps ? numbers[lane] : 0;
  const unsigned upto = scan_warp(own);
  return {__shfl_sync(kAllLanes, upto - own, warp), __shfl_sync(kAllLanes, upto, kWarps - 1)};
}

// Waits for `count` words to be published and returns the warp's share of the sum. The words are
// volatile: each look reads memory again, where other blocks write the words.
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

// As many blocks as run at the same time, or as many as tiles. Each takes every gridDim.x-th
// tile, a thread kVectors vectors of each. `words` has a word per tile.
template <int kThreads, int kVectors>
__global__ void __launch_bounds__(kThreads)
    scan_kernel(Arrays<kThreads, kVectors> arrays, size_t tiles, Word* words, bool in_step) {
  constexpr int kWarps = kThreads / kWarpSize;
  // Two copies, which rounds use in turn: a warp may begin a round while another warp still reads.
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
  unsigned before_in_tile = 0;      // of the waiting tile: the sum of the warps before
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
      // No block reads a word before all blocks have cleared their words.
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

  // The block's last tile is not written yet. Blocks with a tile less reach another barrier.
  if (in_step) cooperative_groups::this_grid().sync();
  if (in_step && (tiles - 1) % blocks < blockIdx.x) cooperative_groups::this_grid().sync();
  const unsigned share = sum_words<kThreads>(words + (tile - blocks - new_words), new_words);
  if (is_first_lane) word_sums[half][warp] = share;
  // Every warp needs the shares of all warps.
  __syncthreads();
  before += sum_up(word_sums[half]).all;
  arrays.store(tile - blocks, waiting, before + before_in_tile);
}

// The same rounds with tiles in shared memory, in a ring of stages. Each warp of a block has a job:
// most scan, each a part of every tile; a warp publishes sums; a warp adds up other blocks' words.
// Warps wait for each other at mbarriers, and no job holds up another longer than necessary.
namespace ring {

constexpr int kWarps = 8;                           // that scan
constexpr int kThreads = (kWarps + 2) * kWarpSize;  // with publisher and collector
constexpr int kVectors = 8;
constexpr int kPart = kVectors * kStretch;  // elements of a tile that belong to a warp
constexpr int kStages = 7;
// From this size on the ring is faster.
constexpr int kLeast = 1 << 23;

using Arrays = ::Arrays<kWarps * kWarpSize, kVectors>;

// A tile in shared memory, and what is known of the tile.
struct alignas(128) Stage {
  unsigned parts[kWarps][kPart];
  uint64_t loaded[kWarps];  // mbarriers: the warp's part is here,
  uint64_t summed;          // all parts have been added up,
  uint64_t placed;          // and the sum of what comes before each part is known
  unsigned sums[kWarps];
  unsigned before[kWarps];
};
constexpr int kSharedBytes = kStages * sizeof(Stage);

#if __CUDA_ARCH__ >= 900

constexpr int kPublisher = kWarps;  // the warps that do not scan
constexpr int kCollector = kWarps + 1;
// A tile is scanned this many rounds after its sum was published. The rest of the ring loads.
constexpr int kDelay = 4;
// The collector's lanes read this many words at once, which is enough for 160 multiprocessors.
constexpr int kWordsAtOnce = 5;

// The stage of a round, and whether its mbarriers are in an odd phase.
struct Turn {
  int stage = 0;
  unsigned odd = 0;

  __device__ void advance() {
    stage = (stage + 1) % kStages;
    if (stage == 0) odd ^= 1;
  }
};

__device__ unsigned address_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

// An mbarrier completes a phase when `count` threads have arrived and all bytes expected.
__device__ void init(uint64_t* barrier, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(count));
}
__device__ void arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address_of(barrier)) : "memory");
}
// Waits for the end of a phase; phases are even and odd in turn, the first phase is even.
__device__ void wait(uint64_t* barrier, unsigned odd) {
  unsigned ended = 0;
  while (!ended) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(address_of(barrier)), "r"(odd)
        : "memory");
  }
}
// Bulk copies see what this thread has written to shared memory, mbarriers included.
__device__ void show_to_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Begins to copy a part to shared memory. `barrier` waits for its bytes.
__device__ void begin_load(unsigned* part, const unsigned* from, uint64_t* barrier) {
  constexpr int kBytes = kPart * sizeof(unsigned);
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address_of(barrier)),
               "r"(kBytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(address_of(part)),
      "l"(from), "r"(kBytes), "r"(address_of(barrier))
      : "memory");
}
// Begins to copy a part to global memory.
__device__ void begin_store(unsigned* to, const unsigned* part) {
  constexpr int kBytes = kPart * sizeof(unsigned);
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(address_of(part)), "r"(kBytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// Waits until all stores begun by the thread have read their parts, except for the last store.
__device__ void wait_for_stores_but_one() {
  asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
}
__device__ void wait_for_stores() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// A warp's part of a tile. The last tile may be incomplete, and never is in shared memory.
__device__ void read_part(const Arrays& arrays, size_t tile, const Stage& stage,
                          uint4 (&fours)[kVectors]) {
  if (!arrays.in_vectors(tile)) {
    arrays.load(tile, fours);
    return;
  }
  const auto* part = reinterpret_cast<const uint4*>(stage.parts[threadIdx.x / kWarpSize]);
#pragma unroll
  for (int v = 0; v < kVectors; ++v)
    fours[v] = part[v * kWarpSize + threadIdx.x % kWarpSize];
}

// Begins to load the warp's part of a tile. A single lane calls the function.
__device__ void begin_load(const Arrays& arrays, size_t tile, Stage& stage) {
  const int warp = threadIdx.x / kWarpSize;
  if (arrays.in_vectors(tile))
    begin_load(stage.parts[warp], arrays.input + arrays.first_element(tile), &stage.loaded[warp]);
}

// Adds up the warp's part of tile after tile, and scans each part kDelay rounds later.
__device__ void scan_parts(const Arrays& arrays, int rounds, Stage* stages) {
  const int warp = threadIdx.x / kWarpSize;
  const bool is_first_lane = threadIdx.x % kWarpSize == 0;
  const auto tile_of = [&](int round) { return blockIdx.x + round * size_t{gridDim.x}; };
  Turn summing;
  Turn scanning;
  for (int round = 0; round < rounds + kDelay; ++round) {
    uint4 fours[kVectors];
    if (round < rounds) {
      Stage& stage = stages[summing.stage];
      if (arrays.in_vectors(tile_of(round))) wait(&stage.loaded[warp], summing.odd);
      read_part(arrays, tile_of(round), stage, fours);
      unsigned sum = 0;
#pragma unroll
      for (const uint4& four : fours)
        sum += four.x + four.y + four.z + four.w;
      sum = __reduce_add_sync(kAllLanes, sum);
      if (is_first_lane) {
        stage.sums[warp] = sum;
        arrive(&stage.summed);
      }
      summing.advance();
    }
    const int old = round - kDelay;
    if (old < 0) continue;

    Stage& stage = stages[scanning.stage];
    wait(&stage.placed, scanning.odd);
    read_part(arrays, tile_of(old), stage, fours);
    // Only the calling lane reads the word. The lane arrives at `summed` before a new word.
    const unsigned before = is_first_lane ? stage.before[warp] : 0;
    scan_part(fours, __shfl_sync(kAllLanes, before, 0));
    if (arrays.in_vectors(tile_of(old))) {
      auto* part = reinterpret_cast<uint4*>(stage.parts[warp]);
#pragma unroll
      for (int v = 0; v < kVectors; ++v)
        part[v * kWarpSize + threadIdx.x % kWarpSize] = fours[v];
      show_to_copies();
      // All lanes have written before a lane begins to copy.
      __syncwarp();
      if (is_first_lane) {
        begin_store(arrays.result + arrays.first_element(tile_of(old)), stage.parts[warp]);
      }
    } else {
      arrays.store(tile_of(old), fours, 0);
    }
    scanning.advance();
    // The stage of the tile before is free as soon as its results have left.
    const int next = old - 1 + kStages;
    if (is_first_lane && old > 0 && next < rounds) {
      wait_for_stores_but_one();
      begin_load(arrays, tile_of(next), stages[(old - 1) % kStages]);
    }
  }
  if (is_first_lane) wait_for_stores();
}

// Publishes the sum of each tile as soon as possible.
__device__ void publish(int rounds, Stage* stages, volatile Word* words) {
  const int lane = threadIdx.x % kWarpSize;
  Turn turn;
  for (int round = 0; round < rounds; ++round, turn.advance()) {
    Stage& stage = stages[turn.stage];
    wait(&stage.summed, turn.odd);
    const unsigned sum = __reduce_add_sync(kAllLanes, lane < kWarps ? stage.sums[lane] : 0);
    if (lane == 0) words[blockIdx.x + round * size_t{gridDim.x}] = kPublished | sum;
    // Each lane that has read a sum says so: the next sums may take its place.
    if (lane < kWarps) arrive(&stage.placed);
  }
}

// Waits for `count` words to be published and returns the sum. A whole warp takes part.
__device__ unsigned collect_words(const volatile Word* words, unsigned count) {
  unsigned sum = 0;
  for (unsigned first = threadIdx.x % kWarpSize; first < count; first += kWordsAtOnce * kWarpSize) {
    Word some[kWordsAtOnce];
#pragma unroll
    for (int k = 0; k < kWordsAtOnce; ++k) {
      const unsigned i = first + k * kWarpSize;
      some[k] = i < count ? words[i] : kPublished;
    }
#pragma unroll
    for (int k = 0; k < kWordsAtOnce; ++k) {
      while (some[k] < kPublished) {
        __nanosleep(kPause);
        some[k] = words[first + k * kWarpSize];
      }
      sum += static_cast<unsigned>(some[k]);
    }
  }
  __syncwarp();
  return __reduce_add_sync(kAllLanes, sum);
}

// Finds out what comes before each part of the block's tiles.
__device__ void collect(int rounds, Stage* stages, const volatile Word* words) {
  const int lane = threadIdx.x % kWarpSize;
  unsigned before = 0;
  Turn turn;
  for (int round = 0; round < rounds; ++round, turn.advance()) {
    const unsigned new_words = round == 0 ? blockIdx.x : gridDim.x;  // tiles since the last tile
    const size_t tile = blockIdx.x + round * size_t{gridDim.x};
    before += collect_words(words + (tile - new_words), new_words);
    Stage& stage = stages[turn.stage];
    wait(&stage.summed, turn.odd);
    const unsigned own = lane < kWarps ? stage.sums[lane] : 0;
    const unsigned upto = scan_warp(own);
    if (lane < kWarps) {
      stage.before[lane] = before + upto - own;
      arrive(&stage.placed);
    }
  }
}

#endif

// A block on each multiprocessor. Each takes every gridDim.x-th tile. `words` has a word per
// tile.
__global__ void __launch_bounds__(kThreads, 1)
    ring_kernel(Arrays arrays, size_t tiles, Word* words) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ Stage stages[];
  const size_t blocks = gridDim.x;
  const int rounds = static_cast<int>((tiles - blockIdx.x + blocks - 1) / blocks);
  const int warp = threadIdx.x / kWarpSize;
  if (threadIdx.x % kWarpSize == 0 && warp < kWarps) {
    for (int i = 0; i < kStages; ++i)
      init(&stages[i].loaded[warp], 1);
    show_to_copies();
    for (int i = 0; i < kStages && i < rounds; ++i)
      begin_load(arrays, blockIdx.x + i * blocks, stages[i]);
  }
  if (threadIdx.x == kPublisher * kWarpSize) {
    for (int i = 0; i < kStages; ++i) {
      init(&stages[i].summed, kWarps);
      init(&stages[i].placed, 2 * kWarps);  // lanes of publisher and collector
    }
  }
  for (size_t i = blockIdx.x + threadIdx.x * blocks; i < tiles; i += kThreads * blocks)
    words[i] = 0;
  // No block reads a word before all blocks have cleared their words, and no warp waits at an
  // mbarrier before the initialisation.
  cooperative_groups::this_grid().sync();

  if (warp == kPublisher) {
    publish(rounds, stages, words);
  } else if (warp == kCollector) {
    collect(rounds, stages, words);
  } else {
    scan_parts(arrays, rounds, stages);
  }
#endif
}

}  // namespace ring

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
Arrays<kThreads, kVectors> arrays_of(const int* input, int n, int* result) {
  return {reinterpret_cast<const unsigned*>(input), reinterpret_cast<unsigned*>(result),
          static_cast<size_t>(n), is_aligned(input) && is_aligned(result)};
}

template <int kThreads, int kVectors>
void launch(const int* input, int n, int* result, Workspace& workspace) {
  constexpr auto* kernel = scan_kernel<kThreads, kVectors>;
  // The host asks once: the query takes longer than a small scan takes on the device.
  static const Room room = room_for(kernel, kThreads);
  auto arrays = arrays_of<kThreads, kVectors>(input, n, result);
  size_t tiles = ceil_div(arrays.n, arrays.kTile);
  auto* words = workspace.take<Word>(tiles);
  bool in_step = room.multiprocessors <= kFewMultiprocessors;
  void* arguments[] = {&arrays, &tiles, &words, &in_step};
  const dim3 blocks(std::min<size_t>(tiles, room.blocks));
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, kThreads, arguments, 0, nullptr));
}

namespace ring {

// The number of multiprocessors that can run the kernel as compiled: all or none.
int multiprocessors() {
  int device = 0;
  cudaFuncAttributes compiled = {};
  int bytes = 0;
  int count = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaFuncGetAttributes(&compiled, ring_kernel));
  CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  if (compiled.ptxVersion < 90 || bytes < kSharedBytes) return 0;
  CUDA_CHECK(
      cudaFuncSetAttribute(ring_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  return count;
}

// Returns false, and does nothing, if the ring is not for the device or the arrays.
bool launch(const int* input, int n, int* result, Workspace& workspace) {
  static const int most_blocks = multiprocessors();
  Arrays arrays = arrays_of<kWarps * kWarpSize, kVectors>(input, n, result);
  if (most_blocks == 0 || n < kLeast || !arrays.aligned) return false;
  size_t tiles = ceil_div(arrays.n, arrays.kTile);
  auto* words = workspace.take<Word>(tiles);
  void* arguments[] = {&arrays, &tiles, &words};
  const dim3 blocks(std::min<size_t>(tiles, most_blocks));
  CUDA_CHECK(
      cudaLaunchCooperativeKernel(ring_kernel, blocks, kThreads, arguments, kSharedBytes, nullptr));
  return true;
}

}  // namespace ring
}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0 || ring::launch(input, n, result, workspace)) return;
  if (n <= kSmall) {
    launch<kSmallThreads, kSmallVectors>(input, n, result, workspace);
  } else {
    launch<kLargeThreads, kLargeVectors>(input, n, result, workspace);
  }
}

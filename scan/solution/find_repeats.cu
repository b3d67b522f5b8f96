// The fastest find_repeats we know.
//
//   make check-scan PART=find_repeats WITH=solution
//
// The solution of exclusive_scan carried further: a cooperative launch, blocks that take every B-th
// tile, and B published counts read at once; exclusive_scan.cu says why the waiting ends. New are:
//
// - A tile leaves nothing behind but a bit per element, and waits for its place in registers.
// - On a GPU with bulk copies (compute capability 9.0), tiles of 64 KB come into shared memory
//   in a ring of two stages, and are written four rounds later. See namespace ring.
// - Elsewhere, and for inputs that are not aligned, a thread goes through a larger tile in steps of
//   16 elements, and the next step's loads are under way while a step is looked at. Only once per
//   tile has a block to agree with the others. A tile's repeats are written while the tile after
//   the next is read, step by step. So the places have had a whole tile's time to become known, and
//   reading never stops for writing.
// - The indices of a step or part are put side by side in shared memory first, and go out as a
//   stretch.
// - The count goes to pinned host memory. Waiting for the kernel is then all that is left to do; a
//   cudaMemcpy behind the kernel takes about 5 us more on an H200.
#include "scan.h"

#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>

#include "cuda_check.h"

namespace {

using Word = unsigned long long;

constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr int kWarpSize = 32;
// The high half of a word whose low half is a tile's count.
constexpr Word kPublished = Word{1} << 32;
constexpr int kFewMultiprocessors = 16;
// The time between two looks at a word that is not published yet, in ns.
constexpr unsigned kPause = 20;

// A step of a warp: vectors of four elements; vector v of all lanes is a stretch.
constexpr int kVectors = 4;
constexpr int kStretch = kWarpSize * 4;
constexpr int kStep = kVectors * kStretch;
constexpr int kBitsPerLane = kVectors * 4;

// Up to this size tiles are small: all multiprocessors have a part.
constexpr int kSmall = 1 << 24;
constexpr int kSmallThreads = 512;
constexpr int kSmallSteps = 2;
constexpr int kLargeThreads = 512;
constexpr int kLargeSteps = 8;

// What a lane holds of a step: its vectors, and in the last lane the element after the step.
struct Elements {
  int4 fours[kVectors];
  int behind;
};

// Loads a warp's step that begins at `first`, in whole vectors if `aligned`. Each element is used
// once, so the loads are marked as the first to leave the caches.
__device__ void load(const int* input, size_t n, bool aligned, size_t first, Elements& elements) {
  const int lane = threadIdx.x % kWarpSize;
  const bool vectors = aligned && first + kStep <= n;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const size_t i = first + v * kStretch + 4 * lane;
    if (vectors) {
      elements.fours[v] = __ldcs(reinterpret_cast<const int4*>(input + i));
    } else {
      elements.fours[v] = make_int4(i < n ? input[i] : 0, i + 1 < n ? input[i + 1] : 0,
                                    i + 2 < n ? input[i + 2] : 0, i + 3 < n ? input[i + 3] : 0);
    }
  }
  const bool has_behind = lane == kWarpSize - 1 && first + kStep < n;
  elements.behind = has_behind ? input[first + kStep] : 0;
}

// Bit 4 v + k: is element k of the lane's vector v a repeat?
__device__ unsigned find(const Elements& elements, size_t n, size_t first) {
  const int lane = threadIdx.x % kWarpSize;
  unsigned bits = 0;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const int4 four = elements.fours[v];
    int next = __shfl_down_sync(kAllLanes, four.x, 1);
    const int stretch_behind = v + 1 < kVectors
                                   ? __shfl_sync(kAllLanes, elements.fours[(v + 1) % kVectors].x, 0)
                                   : elements.behind;
    if (lane == kWarpSize - 1) next = stretch_behind;
    bits |= four.x == four.y ? 1u << 4 * v : 0;
    bits |= four.y == four.z ? 2u << 4 * v : 0;
    bits |= four.z == four.w ? 4u << 4 * v : 0;
    bits |= four.w == next ? 8u << 4 * v : 0;
  }
  if (first + kStep >= n) {
    // The last element has no next element, and the zeros after the end do not count.
#pragma unroll
    for (int bit = 0; bit < kBitsPerLane; ++bit) {
      if (first + bit / 4 * kStretch + 4 * lane + bit % 4 + 1 >= n) bits &= ~(1u << bit);
    }
  }
  return bits;
}

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

// The sum over all lanes of the warp.
__device__ unsigned add_warp(unsigned value) {
#pragma unroll
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// Writes the repeats of a warp's step that begins at `first` to `output`, and returns the number
// written. `staging` has room for kStep numbers and belongs to the warp.
__device__ unsigned write(unsigned bits, size_t first, unsigned short* staging, int* output) {
  const int lane = threadIdx.x % kWarpSize;
  // Four counts in the bytes of a number: a single scan serves all four vectors. A stretch has
  // 128 elements, which still fit a byte. First bits are added up in pairs, then pairs in fours.
  const unsigned pairs = bits - (bits >> 1 & 0x5555);
  const unsigned fours = (pairs & 0x3333) + (pairs >> 2 & 0x3333);
  const unsigned own =
      (fours & 0x000F) | (fours & 0x00F0) << 4 | (fours & 0x0F00) << 8 | (fours & 0xF000) << 12;
  const unsigned upto = scan_warp(own);
  const unsigned all = __shfl_sync(kAllLanes, upto, kWarpSize - 1);
  unsigned count = 0;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    unsigned place = count + ((upto - own) >> 8 * v & 0xFF);
    count += all >> 8 * v & 0xFF;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (bits >> (4 * v + k) & 1) staging[place++] = v * kStretch + 4 * lane + k;
    }
  }

  // Lanes read what other lanes have written, and no lane writes again before all have read.
  __syncwarp();
  for (unsigned i = lane; i < count; i += kWarpSize)
    output[i] = static_cast<int>(first) + staging[i];
  __syncwarp();
  return count;
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

// Waits for `count` words to be published and returns the thread's share of the sum.
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
  return sum;
}

// As many blocks as run at the same time, or as many as tiles. Each takes every gridDim.x-th
// tile, a warp kSteps steps of each. `words` has a word per tile; *total gets the number of
// repeats.
template <int kThreads, int kSteps>
__global__ void __launch_bounds__(kThreads, 1)
    find_kernel(const int* input, size_t n, bool aligned, size_t tiles, int* output, Word* words,
                bool in_step, int* total) {
  constexpr int kWarps = kThreads / kWarpSize;
  constexpr size_t kPart = kSteps * kStep;  // elements of a tile that belong to a warp
  constexpr size_t kTile = kWarps * kPart;
  __shared__ unsigned short staging[kWarps][kStep];
  // Two copies, which rounds use in turn: a warp may begin a round while another warp still reads.
  __shared__ unsigned counts[2][kWarps];
  __shared__ unsigned word_sums[2][kWarps];
  const unsigned blocks = gridDim.x;
  const int warp = threadIdx.x / kWarpSize;
  const int rounds = static_cast<int>((tiles - blockIdx.x + blocks - 1) / blocks);

  // Two steps share a word: bits of the tile that is being read, of the tile before, whose place is
  // not known yet, and of the tile before both, which is being written.
  unsigned current[kSteps / 2] = {};
  unsigned waiting[kSteps / 2] = {};
  unsigned leaving[kSteps / 2] = {};
  Elements now;
  Elements next = {};
  load(input, n, aligned, blockIdx.x * kTile + warp * kPart, now);
  for (size_t i = blockIdx.x + threadIdx.x * static_cast<size_t>(blocks); i < tiles;
       i += kThreads * static_cast<size_t>(blocks))
    words[i] = 0;

  unsigned before = 0;           // repeats before the tile that is being written
  unsigned waiting_in_tile = 0;  // repeats of the waiting tile in the warps before
  unsigned place = 0;            // where the warp writes the tile's next repeat
  unsigned last_count = 0;
  // Two rounds more than tiles: the last one only writes.
  for (int round = 0; round < rounds + 2; ++round) {
    const size_t tile = blockIdx.x + static_cast<size_t>(round) * blocks;
    const size_t part = tile * kTile + warp * kPart;
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      const size_t first = part + step * kStep;
      const bool is_last = step + 1 == kSteps;
      if (round + is_last < rounds) {
        load(input, n, aligned, is_last ? part + blocks * kTile : first + kStep, next);
      }
      const unsigned bits = round < rounds ? find(now, n, first) : 0;
      current[step / 2] |= bits << 16 * (step % 2);
      if (round >= 2) {
        const unsigned old = leaving[step / 2] >> 16 * (step % 2) & 0xFFFF;
        place += write(old, first - 2 * blocks * kTile, staging[warp], output + place);
      }
      now = next;
    }
    if (round == rounds + 1) break;

    unsigned count = 0;
#pragma unroll
    for (int i = 0; i < kSteps / 2; ++i)
      count += __popc(current[i]);
    if (in_step && round > 0) cooperative_groups::this_grid().sync();
    unsigned share = 0;
    if (round == 1) share = sum_words<kThreads>(words, blockIdx.x);
    if (round >= 2) share = sum_words<kThreads>(words + (tile - 2 * blocks), blocks);
    count = add_warp(count);
    share = add_warp(share);
    const int half = round % 2;
    if (threadIdx.x % kWarpSize == 0) {
      counts[half][warp] = count;
      word_sums[half][warp] = share;
    }

    // Every warp needs the sums of all.
    __syncthreads();
    const Sums sums = sum_up(counts[half]);
    if (round < rounds) {
      last_count = sums.all;
      if (threadIdx.x == 0) *const_cast<volatile Word*>(words + tile) = kPublished | sums.all;
    }
    // No block reads a word before all blocks have cleared their words.
    if (round == 0) cooperative_groups::this_grid().sync();
    before += sum_up(word_sums[half]).all;
    place = before + waiting_in_tile;
    waiting_in_tile = sums.before;
#pragma unroll
    for (int i = 0; i < kSteps / 2; ++i) {
      leaving[i] = waiting[i];
      waiting[i] = current[i];
      current[i] = 0;
    }
  }
  // All blocks must reach equally many barriers: blocks with a tile less reach another barrier.
  if (in_step && (tiles - 1) % blocks < blockIdx.x) cooperative_groups::this_grid().sync();
  const bool has_last_tile = blockIdx.x == (tiles - 1) % blocks;
  if (has_last_tile && threadIdx.x == 0) *total = static_cast<int>(before + last_count);
}

// On a GPU of compute capability 9.0 or later each warp of a block has a job: most look for
// repeats, a warp publishes the number, and a warp adds up other blocks' words. The next tiles come
// into shared memory meanwhile, by bulk copies: an instruction of a single lane loads a warp's part
// of a tile.
namespace ring {

constexpr int kWarps = 16;                          // that look for repeats
constexpr int kThreads = (kWarps + 2) * kWarpSize;  // with publisher and collector
constexpr int kBits = 32;                           // neighbouring elements of a lane, a bit each
constexpr int kPart = kWarpSize * kBits;            // elements of a tile that belong to a warp
constexpr int kTile = kWarps * kPart;
constexpr int kBehind = 4;  // elements after a part that come along; the first is needed
constexpr int kStages = 2;
// A tile's repeats are written this many rounds after the count was published.
constexpr int kDelay = 4;

// A tile in shared memory.
struct alignas(128) Stage {
  int parts[kWarps][kPart];
  int behind[kWarps][kBehind];
  uint64_t loaded[kWarps];  // mbarriers: the warp's part is here, and what is behind it
};

// What is known of the number of repeats in a tile.
struct News {
  uint64_t counted;  // mbarriers: all parts have been counted,
  uint64_t placed;   // and the number of repeats before each part is known
  unsigned counts[kWarps];
  unsigned before[kWarps];
};

constexpr int kNews = kDelay + 1;
struct Shared {
  Stage stages[kStages];
  News news[kNews];
  unsigned short staging[kWarps][kPart];
};

#if __CUDA_ARCH__ >= 900

constexpr int kPublisher = kWarps;  // the warps that do not look for repeats
constexpr int kCollector = kWarps + 1;
// If more elements of a part are repeats, its lanes write them word by word.
constexpr int kManyRepeats = kPart / 4;
// The collector's lanes read this many words at once, which is enough for 160 multiprocessors.
constexpr int kWordsAtOnce = 5;

// Which of kCount stages or news is a round's, and whether its mbarriers are in an odd phase.
template <int kCount>
struct Turn {
  int index = 0;
  unsigned odd = 0;

  __device__ void advance() {
    index = (index + 1) % kCount;
    if (index == 0) odd ^= 1;
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
__device__ void arrive_and_expect(uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address_of(barrier)),
               "r"(bytes)
               : "memory");
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
// Bulk copies see the mbarriers that this thread has initialised.
__device__ void show_to_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
// Begins to copy elements to shared memory. `barrier` waits for their bytes.
__device__ void begin_load(int* to, const int* from, int elements, uint64_t* barrier) {
  const unsigned bytes = elements * sizeof(int);
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(address_of(to)),
      "l"(from), "r"(bytes), "r"(address_of(barrier))
      : "memory");
}

// The input, and the block's tiles.
struct Tiles {
  const int* input;
  size_t n;
  int rounds;

  // The first element of the warp's part of a round's tile.
  __device__ size_t first(int round) const {
    return (blockIdx.x + round * size_t{gridDim.x}) * kTile + threadIdx.x / kWarpSize * kPart;
  }
  // Parts at the end of the input, and all after them, are loaded without bulk copies.
  __device__ bool in_bulk(int round) const { return first(round) + kPart + kBehind <= n; }

  // A single lane calls the function.
  __device__ void begin(int round, Stage& stage) const {
    if (round >= rounds || !in_bulk(round)) return;
    const int warp = threadIdx.x / kWarpSize;
    const int* from = input + first(round);
    arrive_and_expect(&stage.loaded[warp], (kPart + kBehind) * sizeof(int));
    begin_load(stage.parts[warp], from, kPart, &stage.loaded[warp]);
    begin_load(stage.behind[warp], from + kPart, kBehind, &stage.loaded[warp]);
  }
  // Waits until the warp's part is in the stage; all lanes may read it then. Zeros from n on.
  __device__ void finish(int round, Stage& stage, unsigned odd) const {
    const int warp = threadIdx.x / kWarpSize;
    if (in_bulk(round)) {
      wait(&stage.loaded[warp], odd);
      return;
    }
    const auto element = [&](size_t i) { return i < n ? input[i] : 0; };
    for (int i = threadIdx.x % kWarpSize; i < kPart; i += kWarpSize)
      stage.parts[warp][i] = element(first(round) + i);
    if (threadIdx.x % kWarpSize == 0) stage.behind[warp][0] = element(first(round) + kPart);
    __syncwarp();
  }
};

// Bit b: is element kBits * lane + b of the part a repeat? The part begins at element `first` of n.
__device__ unsigned find(const int* part, int behind, size_t first, size_t n) {
  constexpr int kVectors = kBits / 4;
  const int lane = threadIdx.x % kWarpSize;
  unsigned bits = 0;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    // Eight neighbouring lanes begin with different vectors: no bank conflicts.
    const int v = i ^ lane % kVectors;
    const int* elements = part + kBits * lane + 4 * v;
    const int4 four = *reinterpret_cast<const int4*>(elements);
    const bool ends_part = lane == kWarpSize - 1 && v == kVectors - 1;
    const int next = ends_part ? behind : elements[4];
    const unsigned found = (four.x == four.y ? 1 : 0) | (four.y == four.z ? 2 : 0) |
                           (four.z == four.w ? 4 : 0) | (four.w == next ? 8 : 0);
    bits |= found << 4 * v;
  }
  // The last element has no next element, and the zeros after the end do not count.
  const size_t own = first + kBits * lane;
  if (own + kBits < n) return bits;
  return own + 1 < n ? bits & ((1u << (n - 1 - own)) - 1) : 0;
}

// Writes the repeats of the warp's part, which begins at element `first`. `places` has room for
// kPart repeats.
__device__ void write(unsigned bits, int first, unsigned short* places, int* to) {
  const int lane = threadIdx.x % kWarpSize;
  const unsigned own = __popc(bits);
  const unsigned upto = scan_warp(own);
  const unsigned count = __shfl_sync(kAllLanes, upto, kWarpSize - 1);
  unsigned place = upto - own;
  if (count > kManyRepeats) {
#pragma unroll 8
    for (int l = 0; l < kWarpSize; ++l) {
      const unsigned word = __shfl_sync(kAllLanes, bits, l);
      const unsigned before = __shfl_sync(kAllLanes, place, l) + __popc(word & ((1u << lane) - 1));
      if (word >> lane & 1) to[before] = first + kBits * l + lane;
    }
    return;
  }
  for (; bits != 0; bits &= bits - 1)
    places[place++] = kBits * lane + __ffs(bits) - 1;
  // Lanes read what other lanes have written, and no lane writes again before all have read.
  __syncwarp();
  for (unsigned i = lane; i < count; i += kWarpSize)
    to[i] = first + places[i];
  __syncwarp();
}

// Looks for repeats in the warp's part of tile after tile, and writes the repeats kDelay rounds
// later.
__device__ void find_parts(const Tiles& tiles, Shared& shared, int* output) {
  const int warp = threadIdx.x / kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  unsigned waiting[kDelay] = {};  // bits of the last rounds, the newest first
  Turn<kStages> loading;
  Turn<kNews> counting;
  Turn<kNews> writing;
  for (int round = 0; round < tiles.rounds + kDelay; ++round) {
    unsigned bits = 0;
    if (round < tiles.rounds) {
      Stage& stage = shared.stages[loading.index];
      tiles.finish(round, stage, loading.odd);
      bits = find(stage.parts[warp], stage.behind[warp][0], tiles.first(round), tiles.n);
      const unsigned count = __reduce_add_sync(kAllLanes, __popc(bits));
      // The sum is of all lanes, which have read the part for it: the stage is free.
      if (lane == 0) {
        tiles.begin(round + kStages, stage);
        shared.news[counting.index].counts[warp] = count;
        arrive(&shared.news[counting.index].counted);
      }
      loading.advance();
      counting.advance();
    }
    const int old = round - kDelay;
    if (old >= 0) {
      News& news = shared.news[writing.index];
      wait(&news.placed, writing.odd);
      // Only the calling lane reads the word. The lane arrives at `counted` before a new word.
      const unsigned before = lane == 0 ? news.before[warp] : 0;
      write(waiting[kDelay - 1], static_cast<int>(tiles.first(old)), shared.staging[warp],
            output + __shfl_sync(kAllLanes, before, 0));
      writing.advance();
    }
#pragma unroll
    for (int i = kDelay - 1; i > 0; --i)
      waiting[i] = waiting[i - 1];
    waiting[0] = bits;
  }
}

// Publishes the number of repeats of each tile as soon as possible.
__device__ void publish(int rounds, News* all_news, volatile Word* words) {
  const int lane = threadIdx.x % kWarpSize;
  Turn<kNews> turn;
  for (int round = 0; round < rounds; ++round, turn.advance()) {
    News& news = all_news[turn.index];
    wait(&news.counted, turn.odd);
    const unsigned sum = __reduce_add_sync(kAllLanes, lane < kWarps ? news.counts[lane] : 0);
    if (lane == 0) words[blockIdx.x + round * size_t{gridDim.x}] = kPublished | sum;
    // Each lane that has read a count says so: the next counts may take its place.
    if (lane < kWarps) arrive(&news.placed);
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

// Finds out how many repeats come before each part of the block's tiles, and in the end the
// number of all.
__device__ void collect(int rounds, News* all_news, const volatile Word* words, size_t tiles,
                        int* total) {
  const int lane = threadIdx.x % kWarpSize;
  unsigned before = 0;
  Turn<kNews> turn;
  for (int round = 0; round < rounds; ++round, turn.advance()) {
    const unsigned new_words = round == 0 ? blockIdx.x : gridDim.x;  // tiles since the last tile
    const size_t tile = blockIdx.x + round * size_t{gridDim.x};
    before += collect_words(words + (tile - new_words), new_words);
    News& news = all_news[turn.index];
    wait(&news.counted, turn.odd);
    const unsigned own = lane < kWarps ? news.counts[lane] : 0;
    const unsigned upto = scan_warp(own);
    if (lane < kWarps) {
      news.before[lane] = before + upto - own;
      arrive(&news.placed);
    }
    if (tile == tiles - 1 && lane == kWarpSize - 1) *total = static_cast<int>(before + upto);
  }
}

#endif

// A block on each multiprocessor. Each takes every gridDim.x-th tile. `words` has one word per
// tile; *total gets the number of repeats.
__global__ void __launch_bounds__(kThreads, 1)
    ring_kernel(const int* input, size_t n, size_t tiles, int* output, Word* words, int* total) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ Shared all_shared[];
  Shared& shared = all_shared[0];
  const size_t blocks = gridDim.x;
  const Tiles own = {input, n, static_cast<int>((tiles - blockIdx.x + blocks - 1) / blocks)};
  const int warp = threadIdx.x / kWarpSize;
  if (threadIdx.x % kWarpSize == 0 && warp < kWarps) {
    for (int i = 0; i < kStages; ++i)
      init(&shared.stages[i].loaded[warp], 1);
    show_to_copies();
    for (int i = 0; i < kStages; ++i)
      own.begin(i, shared.stages[i]);
  }
  if (threadIdx.x == kPublisher * kWarpSize) {
    for (News& news : shared.news) {
      init(&news.counted, kWarps);
      init(&news.placed, 2 * kWarps);  // lanes of publisher and collector
    }
  }
  for (size_t i = blockIdx.x + threadIdx.x * blocks; i < tiles; i += kThreads * blocks)
    words[i] = 0;
  // No block reads a word before all blocks have cleared their words, and no warp waits at an
  // mbarrier before the initialisation.
  cooperative_groups::this_grid().sync();

  if (warp == kPublisher) {
    publish(own.rounds, shared.news, words);
  } else if (warp == kCollector) {
    collect(own.rounds, shared.news, words, tiles, total);
  } else {
    find_parts(own, shared, output);
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

template <int kThreads, int kSteps>
void launch(const int* input, int n, int* output, Workspace& workspace, int* total) {
  constexpr auto* kernel = find_kernel<kThreads, kSteps>;
  // The host asks once: the query takes longer than a small input takes on the device.
  static const Room room = room_for(kernel, kThreads);
  size_t size = n;
  bool aligned = reinterpret_cast<uintptr_t>(input) % sizeof(int4) == 0;
  size_t tiles = ceil_div(size, kThreads * kSteps * kBitsPerLane);
  auto* words = workspace.take<Word>(tiles);
  bool in_step = room.multiprocessors <= kFewMultiprocessors;
  void* arguments[] = {&input, &size, &aligned, &tiles, &output, &words, &in_step, &total};
  const dim3 blocks(std::min<size_t>(tiles, room.blocks));
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, blocks, kThreads, arguments, 0, nullptr));
}

namespace ring {

// The number of multiprocessors that can run the kernel as compiled: all or none.
int multiprocessors() {
  constexpr int kBytes = sizeof(Shared);
  int device = 0;
  cudaFuncAttributes compiled = {};
  int bytes = 0;
  int count = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaFuncGetAttributes(&compiled, ring_kernel));
  CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  if (compiled.ptxVersion < 90 || bytes < kBytes) return 0;
  CUDA_CHECK(
      cudaFuncSetAttribute(ring_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  return count;
}

// Returns false, and does nothing, if the ring is not for the device or the input.
bool launch(const int* input, int n, int* output, Workspace& workspace, int* total) {
  static const int most_blocks = multiprocessors();
  if (most_blocks == 0 || reinterpret_cast<uintptr_t>(input) % sizeof(int4) != 0) return false;
  size_t size = n;
  size_t tiles = ceil_div(size, kTile);
  auto* words = workspace.take<Word>(tiles);
  void* arguments[] = {&input, &size, &tiles, &output, &words, &total};
  const dim3 blocks(std::min<size_t>(tiles, most_blocks));
  CUDA_CHECK(cudaLaunchCooperativeKernel(ring_kernel, blocks, kThreads, arguments, sizeof(Shared),
                                         nullptr));
  return true;
}

}  // namespace ring

// An int of pinned host memory, which the device writes.
class PinnedInt {
 public:
  PinnedInt() { CUDA_CHECK(cudaMallocHost(&data_, sizeof(int))); }
  PinnedInt(const PinnedInt&) = delete;
  PinnedInt& operator=(const PinnedInt&) = delete;
  ~PinnedInt() { cudaFreeHost(data_); }
  int* data() { return data_; }

 private:
  int* data_ = nullptr;
};

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  static PinnedInt total;  // made by the first call
  if (ring::launch(input, n, output, workspace, total.data())) {
    // All is under way.
  } else if (n <= kSmall) {
    launch<kSmallThreads, kSmallSteps>(input, n, output, workspace, total.data());
  } else {
    launch<kLargeThreads, kLargeSteps>(input, n, output, workspace, total.data());
  }
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
  return *total.data();
}

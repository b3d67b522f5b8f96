// The fastest find_repeats we know.
//
//   make check-scan PART=find_repeats WITH=solution
//
// The solution of exclusive_scan carried further: one cooperative launch, blocks that take every
// B-th tile, and B published counts that are read at once; see there why that ends. What is new:
//
// - A tile leaves nothing behind but a bit per element, so it can be as large as one likes: a
//   thread goes through it in steps of 16 elements, and the next step's loads are under way while
//   this one is looked at. Only once per tile has a block to agree with the others.
// - A tile's repeats are written while the tile after the next one is read, step by step. So their
//   places have had a whole tile's time to become known, and reading never stops for writing.
// - The indices of a step are put side by side in shared memory first, and go out as one stretch.
// - The count goes to pinned host memory. Waiting for the kernel is then all that is left to do; a
//   cudaMemcpy behind it takes about 5 us more on an H200.
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

// A step of a warp: vectors of four elements; vector v of all lanes is one stretch.
constexpr int kVectors = 4;
constexpr int kStretch = kWarpSize * 4;
constexpr int kStep = kVectors * kStretch;
constexpr int kBitsPerLane = kVectors * 4;

// Up to this size tiles are small, so that all multiprocessors have a part in it.
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
    // The last element has none after it, and the zeros after the end do not count.
#pragma unroll
    for (int bit = 0; bit < kBitsPerLane; ++bit) {
      if (first + bit / 4 * kStretch + 4 * lane + bit % 4 + 1 >= n) bits &= ~(1u << bit);
    }
  }
  return bits;
}

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

// The sum over all lanes of the warp.
__device__ unsigned add_warp(unsigned value) {
#pragma unroll
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// Writes the repeats of a warp's step that begins at `first` to `output`, and returns how many
// there are. `staging` has room for kStep numbers and belongs to the warp.
__device__ unsigned write(unsigned bits, size_t first, unsigned short* staging, int* output) {
  const int lane = threadIdx.x % kWarpSize;
  // Four counts in the bytes of one number, so that one scan serves all four vectors: a stretch has
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

// The sums of one number per warp. Every warp computes them for itself.
template <int kWarps>
__device__ Sums sum_up(const unsigned (&numbers)[kWarps]) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const unsigned own = lane < kWarps ? numbers[lane] : 0;
  const unsigned upto = scan_warp(own);
  return {__shfl_sync(kAllLanes, upto - own, warp), __shfl_sync(kAllLanes, upto, kWarps - 1)};
}

// Waits for `count` words to be published and returns this thread's share of their sum.
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

// As many blocks as run at the same time, or as there are tiles. Each takes every gridDim.x-th
// tile, a warp kSteps steps of each. `words` has one word per tile; *total gets the number of
// repeats.
template <int kThreads, int kSteps>
__global__ void __launch_bounds__(kThreads, 1)
    find_kernel(const int* input, size_t n, bool aligned, size_t tiles, int* output, Word* words,
                bool in_step, int* total) {
  constexpr int kWarps = kThreads / kWarpSize;
  constexpr size_t kPart = kSteps * kStep;  // elements of a tile that belong to one warp
  constexpr size_t kTile = kWarps * kPart;
  __shared__ unsigned short staging[kWarps][kStep];
  // Two copies, which rounds use in turn: a warp may begin a round while another one still reads.
  __shared__ unsigned counts[2][kWarps];
  __shared__ unsigned word_sums[2][kWarps];
  const unsigned blocks = gridDim.x;
  const int warp = threadIdx.x / kWarpSize;
  const int rounds = static_cast<int>((tiles - blockIdx.x + blocks - 1) / blocks);

  // Two steps share a word: bits of the tile that is being read, of the one before it, whose place
  // is not known yet, and of the one before that, which is being written.
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
  unsigned waiting_in_tile = 0;  // repeats of the waiting tile's warps before this one
  unsigned place = 0;            // where this warp writes its next repeat of that tile
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
    // No block reads a word before all have cleared theirs.
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
  // All blocks must reach equally many barriers: blocks with one tile less reach one more here.
  if (in_step && (tiles - 1) % blocks < blockIdx.x) cooperative_groups::this_grid().sync();
  const bool has_last_tile = blockIdx.x == (tiles - 1) % blocks;
  if (has_last_tile && threadIdx.x == 0) *total = static_cast<int>(before + last_count);
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

// One int of pinned host memory, which the device writes itself.
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
  if (n <= kSmall) {
    launch<kSmallThreads, kSmallSteps>(input, n, output, workspace, total.data());
  } else {
    launch<kLargeThreads, kLargeSteps>(input, n, output, workspace, total.data());
  }
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
  return *total.data();
}

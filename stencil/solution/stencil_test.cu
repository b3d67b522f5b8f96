// The fastest stencil test we know: rung 9, without packing what is full.
//
// A block has up to two tiles of 8192 items, looks at both masks first, and leaves if both are
// empty. Where 32 words are full the block does their 1024 items directly, four at a time;
// the active items of all other words are packed in shared memory and done by full warps. The two
// tiles lie far apart, so neighbouring active items are spread over more blocks; and five
// blocks serve eight tiles: the last quarter of the tiles is done by blocks with a tile each, which
// even out the multiprocessors' times.
#include "stencil.h"

#include <cstdint>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kWarps = kBlockSize / 32;
constexpr int kItems = 32 * kBlockSize;  // per tile
constexpr int kTiles = 2;                // per block, at most
constexpr int kUnroll = 2;
constexpr unsigned kFull = 0xffffffff;
constexpr unsigned kFullWarp = 0xffffffff;

// The block does the work of the chunks of 1024 items whose bits in `chunks` are set: a thread has
// four items of a chunk, and begins the loads of kUnroll chunks before it works on the first.
__device__ void work_directly(unsigned chunks, uint4* tile, int rounds) {
  while (chunks != 0) {
    uint4 value[kUnroll];
    uint4* place[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      place[k] = chunks != 0 ? tile + (__ffs(chunks) - 1) * kBlockSize + threadIdx.x : nullptr;
      chunks &= chunks - 1;
      if (place[k] != nullptr) value[k] = *place[k];
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      if (place[k] == nullptr) continue;
      value[k].x = work(value[k].x, rounds);
      value[k].y = work(value[k].y, rounds);
      value[k].z = work(value[k].z, rounds);
      value[k].w = work(value[k].w, rounds);
      *place[k] = value[k];
    }
  }
}

// The whole block does the work of the items in the list.
__device__ void work_packed(const uint16_t* list, unsigned length, int rounds, unsigned* values) {
  for (unsigned begin = threadIdx.x; begin < length; begin += kUnroll * kBlockSize) {
    unsigned value[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const unsigned entry = begin + k * kBlockSize;
      if (entry < length) value[k] = values[list[entry]];
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      const unsigned entry = begin + k * kBlockSize;
      if (entry < length) values[list[entry]] = work(value[k], rounds);
    }
  }
}

// A thread per word of up to two tiles; then the two functions above. The launch bounds keep the
// registers few enough for six blocks on a multiprocessor.
__global__ void __launch_bounds__(kBlockSize, 6)
    stencil_test_kernel(unsigned word_count, const unsigned* __restrict__ words, int rounds,
                        unsigned* values) {
  __shared__ unsigned warp_items[kWarps];  // items to pack; kFull if all the warp's words are full
  __shared__ uint16_t list[kItems];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  unsigned own[kTiles];
  unsigned any = 0;
#pragma unroll
  for (int k = 0; k < kTiles; ++k) {
    const unsigned w = (k * gridDim.x + blockIdx.x) * kBlockSize + threadIdx.x;
    own[k] = w < word_count ? words[w] : 0;
    any |= own[k];
  }
  if (!__syncthreads_or(any != 0)) return;

#pragma unroll
  for (int k = 0; k < kTiles; ++k) {
    // This is also the barrier after which no thread uses the list of the tile before.
    if (!__syncthreads_or(own[k] != 0)) continue;
    unsigned* tile = values + static_cast<size_t>(k * gridDim.x + blockIdx.x) * kItems;
    const bool full = __all_sync(kFullWarp, own[k] == 0xffffffff);
    unsigned word = full ? 0 : own[k];
    const unsigned items = __popc(word);
    unsigned place = items;
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const unsigned before = __shfl_up_sync(kFullWarp, place, distance);
      if (lane >= distance) place += before;
    }
    if (lane == 31) warp_items[warp] = full ? kFull : place;
    place -= items;
    __syncthreads();  // the warps' numbers of items are complete
    unsigned length = 0;
    unsigned full_chunks = 0;
#pragma unroll
    for (unsigned other = 0; other < kWarps; ++other) {
      const unsigned of_other = warp_items[other];
      if (of_other == kFull) {
        full_chunks |= 1u << other;
      } else {
        if (other < warp) place += of_other;
        length += of_other;
      }
    }
    for (; word != 0; word &= word - 1)
      list[place++] = threadIdx.x * 32 + __ffs(word) - 1;
    work_directly(full_chunks, reinterpret_cast<uint4*>(tile), rounds);
    __syncthreads();  // the list is complete
    work_packed(list, length, rounds, tile);
  }
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  const int word_count = ceil_div(n, 32);
  const int tiles = ceil_div(word_count, kBlockSize);
  const int blocks = ceil_div(5 * tiles, 8);
  stencil_test_kernel<<<blocks, kBlockSize>>>(word_count, active.words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

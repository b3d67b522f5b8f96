// verdict: cpu=race gpu=wrong,ok
// from: ladder/exclusive_scan/08_decoupled_lookback.cu, 72 lines: flag and sum are two words
// Publishes a tile's sum and then a flag, in two words and without a fence: another block may see
// the flag before the sum.
#include "scan.h"

#include <cstdint>

#include "cuda_check.h"

namespace {

constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr int kWarpSize = 32;
constexpr int kBlockSize = 256;
constexpr int kWarps = kBlockSize / kWarpSize;
// Vectors of four elements per thread. Vector v of all lanes is a stretch of kStretch elements.
constexpr int kVectors = 4;
constexpr int kStretch = kWarpSize * 4;
constexpr int kTile = kBlockSize * kVectors * 4;

// Elements i to i + 3, zeros from n on. Loads a whole vector only if `aligned`: the array begins at
// a multiple of 16 bytes, and i is a multiple of 4.
__device__ uint4 load_four(const unsigned* input, size_t i, size_t n, bool aligned) {
  if (aligned && i + 4 <= n) return *reinterpret_cast<const uint4*>(input + i);
  return make_uint4(i < n ? input[i] : 0, i + 1 < n ? input[i + 1] : 0,
                    i + 2 < n ? input[i + 2] : 0, i + 3 < n ? input[i + 3] : 0);
}

__device__ void store_four(unsigned* result, size_t i, size_t n, bool aligned, uint4 four) {
  if (aligned && i + 4 <= n) {
    *reinterpret_cast<uint4*>(result + i) = four;
    return;
  }
  if (i < n) result[i] = four.x;
  if (i + 1 < n) result[i + 1] = four.y;
  if (i + 2 < n) result[i + 2] = four.z;
  if (i + 3 < n) result[i + 3] = four.w;
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

// What a warp learns about the sums of its tile.
struct Sums {
  unsigned before;  // the sum of the tile's elements before the warp's part
  unsigned all;     // the sum of the tile
};

// Replaces each element of the warp's part of the tile by the sum of the elements before in the
// part, and returns two sums of the tile. All threads of the block take part, once.
__device__ Sums scan_tile(uint4 (&fours)[kVectors]) {
  __shared__ unsigned warp_sums[kWarps];
  unsigned sum = 0;  // the sum of the stretches before
  for (uint4& four : fours) {
    const unsigned own = four.x + four.y + four.z + four.w;
    const unsigned upto = scan_warp(own);
    const unsigned first = sum + upto - own;
    sum += __shfl_sync(kAllLanes, upto, kWarpSize - 1);
    four = make_uint4(first, first + four.x, first + four.x + four.y,
                      first + four.x + four.y + four.z);
  }
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  if (lane == 0) warp_sums[warp] = sum;

  // Every warp scans the sums of all warps, which saves a second barrier.
  __syncthreads();
  const unsigned upto = scan_warp(lane < kWarps ? warp_sums[lane] : 0);
  const unsigned all = __shfl_sync(kAllLanes, upto, kWarps - 1);
  return {__shfl_sync(kAllLanes, upto, warp) - sum, all};
}

// Waits for the tile before, and returns the sum of all elements before the own tile.
__device__ unsigned look_back(unsigned* prefixes, volatile int* flags, unsigned tile,
                              unsigned sum) {
  unsigned before = 0;
  if (tile > 0) {
    while (flags[tile - 1] == 0) {
    }
    before = prefixes[tile - 1];
  }
  prefixes[tile] = before + sum;
  flags[tile] = 1;
  return before;
}

// A thread per flag.
__global__ void clear_kernel(int* flags, size_t size, unsigned* ticket) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < size) flags[i] = 0;
  if (i == 0) *ticket = 0;
}

// A block per tile, kVectors vectors per thread. `ticket` gives each block its tile: the order in
// which blocks begin is not specified, and a block that waits for a block that cannot run may hang.
__global__ void scan_kernel(const unsigned* input, size_t n, unsigned* result, bool aligned,
                            unsigned* prefixes, int* flags, unsigned* ticket) {
  __shared__ unsigned shared_tile;
  __shared__ unsigned shared_before;
  if (threadIdx.x == 0) shared_tile = atomicAdd(ticket, 1);
  // All threads need the tile number that thread 0 drew from the ticket.
  __syncthreads();
  const unsigned tile = shared_tile;
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const size_t first = tile * static_cast<size_t>(kTile) + warp * kVectors * kStretch + 4 * lane;

  uint4 fours[kVectors];
  for (int v = 0; v < kVectors; ++v)
    fours[v] = load_four(input, first + v * kStretch, n, aligned);
  const Sums sums = scan_tile(fours);
  if (threadIdx.x == 0) shared_before = look_back(prefixes, flags, tile, sums.all);
  // All threads need what thread 0 found.
  __syncthreads();
  const unsigned sum = shared_before + sums.before;
  for (int v = 0; v < kVectors; ++v) {
    const uint4 four =
        make_uint4(sum + fours[v].x, sum + fours[v].y, sum + fours[v].z, sum + fours[v].w);
    store_four(result, first + v * kStretch, n, aligned, four);
  }
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % sizeof(uint4) == 0;
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0) return;
  const bool aligned = is_aligned(input) && is_aligned(result);
  const int tiles = ceil_div(n, kTile);
  auto* prefixes = workspace.take<unsigned>(tiles);
  auto* flags = workspace.take<int>(tiles);
  auto* ticket = workspace.take<unsigned>(1);
  clear_kernel<<<ceil_div(tiles, kBlockSize), kBlockSize>>>(flags, tiles, ticket);
  CUDA_CHECK(cudaGetLastError());
  scan_kernel<<<tiles, kBlockSize>>>(reinterpret_cast<const unsigned*>(input), n,
                                     reinterpret_cast<unsigned*>(result), aligned, prefixes, flags,
                                     ticket);
  CUDA_CHECK(cudaGetLastError());
}

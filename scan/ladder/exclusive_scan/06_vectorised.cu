// Rung 6: sixteen elements per thread, four per load.
//
//   make check-scan PART=exclusive_scan WITH=ladder/exclusive_scan/06_vectorised.cu
//
// Idea: a thread adds up its own elements in registers before the lanes shuffle, so the five steps
// of a warp serve 128 elements instead of 32. Four neighbouring elements come with a load;
// vectors of neighbouring lanes are neighbours, so a warp's load is a stretch of 512 bytes. A tile
// grows to 4096 elements, and only every 4096 elements have a tile's sum.
// Expect: a quarter of the instructions, and more bytes under way per thread. The trips through
// memory are the same four.
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

// The first element of the thread's first vector; the next vector is kStretch further on.
__device__ size_t first_element() {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  return blockIdx.x * static_cast<size_t>(kTile) + warp * kVectors * kStretch + 4 * lane;
}

// A block per tile, kVectors vectors per thread. `sums` gets the sum of each tile.
__global__ void scan_tiles_kernel(const unsigned* input, size_t n, unsigned* result, bool aligned,
                                  unsigned* sums) {
  uint4 fours[kVectors];
  for (int v = 0; v < kVectors; ++v)
    fours[v] = load_four(input, first_element() + v * kStretch, n, aligned);
  const Sums tile = scan_tile(fours);
  for (int v = 0; v < kVectors; ++v) {
    const uint4 four = make_uint4(tile.before + fours[v].x, tile.before + fours[v].y,
                                  tile.before + fours[v].z, tile.before + fours[v].w);
    store_four(result, first_element() + v * kStretch, n, aligned, four);
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = tile.all;
}

// A block per tile, as above.
__global__ void add_kernel(unsigned* result, size_t n, bool aligned, const unsigned* before) {
  const unsigned sum = before[blockIdx.x];
  uint4 fours[kVectors];
  for (int v = 0; v < kVectors; ++v)
    fours[v] = load_four(result, first_element() + v * kStretch, n, aligned);
  for (int v = 0; v < kVectors; ++v) {
    const uint4 four =
        make_uint4(sum + fours[v].x, sum + fours[v].y, sum + fours[v].z, sum + fours[v].w);
    store_four(result, first_element() + v * kStretch, n, aligned, four);
  }
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % sizeof(uint4) == 0;
}

// Queues the scan of n > 0 elements; scratch for the tiles' sums comes from the workspace.
void scan(const unsigned* input, size_t n, unsigned* result, Workspace& workspace) {
  const bool aligned = is_aligned(input) && is_aligned(result);
  const auto tiles = static_cast<unsigned>(ceil_div(n, kTile));
  auto* sums = workspace.take<unsigned>(tiles);
  scan_tiles_kernel<<<tiles, kBlockSize>>>(input, n, result, aligned, sums);
  CUDA_CHECK(cudaGetLastError());
  if (tiles == 1) return;
  auto* before = workspace.take<unsigned>(tiles);
  scan(sums, tiles, before, workspace);
  add_kernel<<<tiles, kBlockSize>>>(result, n, aligned, before);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0) return;
  scan(reinterpret_cast<const unsigned*>(input), n, reinterpret_cast<unsigned*>(result), workspace);
}

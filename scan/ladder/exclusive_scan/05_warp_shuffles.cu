// Rung 5: sums travel between registers.
//
//   make check-scan PART=exclusive_scan WITH=ladder/exclusive_scan/05_warp_shuffles.cu
//
// Idea: the lanes of a warp pass values to each other without memory and without a barrier. In five
// steps each lane adds what the lane 1, 2, 4, 8, 16 below it has (Hillis and Steele 1986): more
// additions than the tree, 5 n instead of 2 n, and a quarter of the steps. Shared memory holds a
// sum per warp, and two barriers are left of twenty.
// Expect: the threads of a block hardly wait for each other; the trips through memory are left.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr unsigned kAllLanes = 0xFFFFFFFF;
constexpr int kWarpSize = 32;
// As many warps as a warp has lanes: a single warp can scan the sums of all.
constexpr int kBlockSize = kWarpSize * kWarpSize;
constexpr int kTile = kBlockSize;

// The sum of `value` over the lanes up to the calling lane. All lanes of a warp take part.
__device__ unsigned scan_warp(unsigned value) {
  const int lane = threadIdx.x % kWarpSize;
  for (int distance = 1; distance < kWarpSize; distance *= 2) {
    const unsigned below = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

// A block per tile, a thread per element. `sums` gets the sum of each tile.
__global__ void scan_tiles_kernel(const unsigned* input, size_t n, unsigned* result,
                                  unsigned* sums) {
  __shared__ unsigned warp_sums[kWarpSize];
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const size_t i = blockIdx.x * static_cast<size_t>(kTile) + threadIdx.x;
  const unsigned value = i < n ? input[i] : 0;
  const unsigned sum = scan_warp(value);
  if (lane == kWarpSize - 1) warp_sums[warp] = sum;

  // Warp 0 reads the sums of all warps.
  __syncthreads();
  if (warp == 0) warp_sums[lane] = scan_warp(warp_sums[lane]);
  // All warps read the scanned sums, which warp 0 has written.
  __syncthreads();

  const unsigned before = warp > 0 ? warp_sums[warp - 1] : 0;
  if (i < n) result[i] = before + sum - value;
  if (threadIdx.x == kBlockSize - 1) sums[blockIdx.x] = before + sum;
}

// A block per tile, as above.
__global__ void add_kernel(unsigned* result, size_t n, const unsigned* before) {
  const size_t i = blockIdx.x * static_cast<size_t>(kTile) + threadIdx.x;
  if (i < n) result[i] += before[blockIdx.x];
}

// Queues the scan of n > 0 elements; scratch for the tiles' sums comes from the workspace.
void scan(const unsigned* input, size_t n, unsigned* result, Workspace& workspace) {
  const auto tiles = static_cast<unsigned>(ceil_div(n, kTile));
  auto* sums = workspace.take<unsigned>(tiles);
  scan_tiles_kernel<<<tiles, kBlockSize>>>(input, n, result, sums);
  CUDA_CHECK(cudaGetLastError());
  if (tiles == 1) return;
  auto* before = workspace.take<unsigned>(tiles);
  scan(sums, tiles, before, workspace);
  add_kernel<<<tiles, kBlockSize>>>(result, n, before);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0) return;
  scan(reinterpret_cast<const unsigned*>(input), n, reinterpret_cast<unsigned*>(result), workspace);
}

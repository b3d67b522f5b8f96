// Rung 2: a flag is never written.
//
//   make check-scan PART=find_repeats WITH=ladder/find_repeats/02_fused.cu
//
// Idea: testing again whether an element is a repeat costs less than storing the answer. A kernel
// counts the repeats of each tile, the counts are scanned, and a kernel finds the repeats of each
// tile again and writes. Within a warp a vote replaces the scan: a ballot has a bit for each lane,
// and the bits below the lane's own bit give the lane's place.
// Expect: the input is read twice, and only the repeats are written.
#include "scan.h"

#include "cuda_check.h"

namespace {

// The scan of exclusive_scan's rung 5.
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

constexpr int kCountBlock = 256;
constexpr int kCountWarps = kCountBlock / kWarpSize;
// Elements per lane, kWarpSize apart, so each step of a warp is a stretch of memory.
constexpr int kSteps = 8;
constexpr int kCountTile = kCountBlock * kSteps;

// The first of the kWarpSize * kSteps elements of the warp.
__device__ size_t first_of_warp() {
  const int warp = threadIdx.x / kWarpSize;
  return blockIdx.x * static_cast<size_t>(kCountTile) + warp * kWarpSize * kSteps;
}

// Bit s of each lane: is element s * kWarpSize + lane of the warp's a repeat? All loads come before
// the first vote, which would wait for the loads.
__device__ unsigned find_own(const int* input, size_t n) {
  unsigned own = 0;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    const size_t i = first_of_warp() + step * kWarpSize + threadIdx.x % kWarpSize;
    if (i + 1 < n && input[i] == input[i + 1]) own |= 1u << step;
  }
  return own;
}

// Bit l: has lane l found a repeat in the step? All lanes of a warp take part.
__device__ unsigned vote(unsigned own, int step) {
  return __ballot_sync(kAllLanes, own >> step & 1);
}

// The number of repeats of the warp. All lanes take part.
__device__ unsigned count_warp(unsigned own) {
  unsigned count = 0;
  for (int step = 0; step < kSteps; ++step)
    count += __popc(vote(own, step));
  return count;
}

// A block per tile.
__global__ void count_kernel(const int* input, size_t n, unsigned* counts) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  // No thread adds before the sum is 0.
  __syncthreads();
  const unsigned warp_count = count_warp(find_own(input, n));
  if (threadIdx.x % kWarpSize == 0) atomicAdd(&count, warp_count);
  // All warps have added their counts.
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// A block per tile, whose first repeat goes to output[places[tile]].
__global__ void write_kernel(const int* input, size_t n, const unsigned* places, int* output) {
  __shared__ unsigned counts[kCountWarps];
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const unsigned own = find_own(input, n);
  const unsigned warp_count = count_warp(own);
  if (lane == 0) counts[warp] = warp_count;

  // Each warp's place follows from the counts of the warps before.
  __syncthreads();
  unsigned place = places[blockIdx.x];
  for (int before = 0; before < warp; ++before)
    place += counts[before];
  for (int step = 0; step < kSteps; ++step) {
    const unsigned repeats = vote(own, step);
    const unsigned below = repeats & ((1u << lane) - 1);
    const size_t i = first_of_warp() + step * kWarpSize + lane;
    if (own >> step & 1) output[place + __popc(below)] = static_cast<int>(i);
    place += __popc(repeats);
  }
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  const int tiles = ceil_div(n, kCountTile);
  auto* counts = workspace.take<unsigned>(tiles + 1);
  auto* places = workspace.take<unsigned>(tiles + 1);
  count_kernel<<<tiles, kCountBlock>>>(input, n, counts);
  CUDA_CHECK(cudaGetLastError());
  // An element more than tiles: the scan ends with the sum of all.
  CUDA_CHECK(cudaMemsetAsync(counts + tiles, 0, sizeof(int)));
  scan(counts, tiles + 1, places, workspace);
  write_kernel<<<tiles, kCountBlock>>>(input, n, places, output);
  CUDA_CHECK(cudaGetLastError());
  int count = 0;
  CUDA_CHECK(cudaMemcpy(&count, places + tiles, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

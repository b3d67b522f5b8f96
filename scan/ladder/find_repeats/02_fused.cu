// Rung 2: a flag is never written.
//
//   make check-scan PART=find_repeats WITH=ladder/find_repeats/02_fused.cu
//
// Idea: whether an element is a repeat is cheaper to find out again than to remember. One kernel
// counts the repeats of each tile, the counts are scanned, and one kernel finds the repeats of each
// tile again and writes them. Within a warp a vote replaces the scan: a ballot has a bit for each
// lane, and the bits below its own tell a lane its place.
// Expect: the input is read twice, and only the repeats are written.
#include "../exclusive_scan/07_reduce_then_scan.cu"

namespace {

constexpr int kCountBlock = 256;
constexpr int kCountWarps = kCountBlock / kWarpSize;
// Elements per lane, kWarpSize apart, so that each step of a warp is one stretch of memory.
constexpr int kSteps = 8;
constexpr int kCountTile = kCountBlock * kSteps;

// The first of the kWarpSize * kSteps elements of this warp.
__device__ size_t first_of_warp() {
  const int warp = threadIdx.x / kWarpSize;
  return blockIdx.x * static_cast<size_t>(kCountTile) + warp * kWarpSize * kSteps;
}

// Bit l: is element `first` + l a repeat? All lanes of a warp call it.
__device__ unsigned vote(const int* input, size_t n, size_t first) {
  const size_t i = first + threadIdx.x % kWarpSize;
  return __ballot_sync(kAllLanes, i + 1 < n && input[i] == input[i + 1]);
}

// The number of repeats of this warp. All lanes of a warp call it.
__device__ int count_warp(const int* input, size_t n) {
  int count = 0;
  for (int step = 0; step < kSteps; ++step)
    count += __popc(vote(input, n, first_of_warp() + step * kWarpSize));
  return count;
}

// A block per tile.
__global__ void count_kernel(const int* input, size_t n, int* counts) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  // Nobody adds before it is 0.
  __syncthreads();
  const int warp_count = count_warp(input, n);
  if (threadIdx.x % kWarpSize == 0) atomicAdd(&count, warp_count);
  // All have added.
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// A block per tile, whose first repeat goes to output[places[tile]].
__global__ void write_kernel(const int* input, size_t n, const int* places, int* output) {
  __shared__ int counts[kCountWarps];
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const int warp_count = count_warp(input, n);
  if (lane == 0) counts[warp] = warp_count;

  // Each warp's place follows from the counts of those before it.
  __syncthreads();
  int place = places[blockIdx.x];
  for (int before = 0; before < warp; ++before)
    place += counts[before];
  for (int step = 0; step < kSteps; ++step) {
    const size_t first = first_of_warp() + step * kWarpSize;
    const unsigned repeats = vote(input, n, first);
    const unsigned below = repeats & ((1u << lane) - 1);
    if (repeats >> lane & 1) output[place + __popc(below)] = static_cast<int>(first + lane);
    place += __popc(repeats);
  }
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  const int tiles = ceil_div(n, kCountTile);
  int* counts = workspace.take<int>(tiles + 1);
  int* places = workspace.take<int>(tiles + 1);
  count_kernel<<<tiles, kCountBlock>>>(input, n, counts);
  CUDA_CHECK(cudaGetLastError());
  // An element more, so that the scan ends with the sum of all.
  CUDA_CHECK(cudaMemsetAsync(counts + tiles, 0, sizeof(int)));
  exclusive_scan(counts, tiles + 1, places, workspace);
  write_kernel<<<tiles, kCountBlock>>>(input, n, places, output);
  CUDA_CHECK(cudaGetLastError());
  int count = 0;
  CUDA_CHECK(cudaMemcpy(&count, places + tiles, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

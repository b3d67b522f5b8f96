// verdict: =wrong
// from: ladder/find_repeats/01_flags_scan_scatter.cu
// Lets the repeats draw their places from a counter, in any order.
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

// A thread per element: the flag is 1 if the element equals the next. The last element's is 0.
__global__ void flag_kernel(const int* input, size_t n, unsigned* flags) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) flags[i] = i + 1 < n && input[i] == input[i + 1];
}

// A thread per element.
__global__ void scatter_kernel(const unsigned* flags, unsigned* next, size_t n, int* output) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n && flags[i]) output[atomicAdd(next, 1)] = static_cast<int>(i);
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  auto* flags = workspace.take<unsigned>(n);
  auto* places = workspace.take<unsigned>(n);
  flag_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(input, n, flags);
  CUDA_CHECK(cudaGetLastError());
  scan(flags, n, places, workspace);
  auto* next = workspace.take<unsigned>(1);
  CUDA_CHECK(cudaMemsetAsync(next, 0, sizeof(unsigned)));
  scatter_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(flags, next, n, output);
  CUDA_CHECK(cudaGetLastError());
  // The last flag is 0: the sum of all flags before is the count. The copy waits for the kernels.
  int count = 0;
  CUDA_CHECK(cudaMemcpy(&count, places + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

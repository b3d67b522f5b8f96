// verdict: cpu=barrier,race,wrong,cuda_error gpu=wrong,ok,timeout
// from: ladder/exclusive_scan/03_shared.cu
// Only threads that have a pair on the level wait at the barrier behind the level.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 512;
constexpr int kTile = 2 * kBlockSize;

// A block per tile, a thread per two elements, kBlockSize apart. `sums` gets the sum of each
// tile.
__global__ void scan_tiles_kernel(const unsigned* input, size_t n, unsigned* result,
                                  unsigned* sums) {
  __shared__ unsigned tree[kTile];
  const size_t first = blockIdx.x * static_cast<size_t>(kTile);
  for (int i = threadIdx.x; i < kTile; i += kBlockSize)
    tree[i] = first + i < n ? input[first + i] : 0;

  // Each barrier separates a level from the next one: other threads compute what a pair reads.
  for (int stride = 1; stride < kTile; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (threadIdx.x + 1) - 1;
    if (right < kTile) tree[right] += tree[right - stride];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = tree[kTile - 1];
    tree[kTile - 1] = 0;
  }
  __syncthreads();
  for (int stride = kTile / 2; stride > 0; stride /= 2) {
    const int right = 2 * stride * (threadIdx.x + 1) - 1;
    if (right < kTile) {
      const unsigned left_sum = tree[right - stride];
      tree[right - stride] = tree[right];
      tree[right] += left_sum;
      __syncthreads();
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kTile; i += kBlockSize)
    if (first + i < n) result[first + i] = tree[i];
}

// A block per tile, as above.
__global__ void add_kernel(unsigned* result, size_t n, const unsigned* before) {
  const size_t first = blockIdx.x * static_cast<size_t>(kTile);
  for (int i = threadIdx.x; i < kTile; i += kBlockSize)
    if (first + i < n) result[first + i] += before[blockIdx.x];
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

// Rung 4: the same tree without bank conflicts.
//
//   make check-scan PART=exclusive_scan WITH=ladder/exclusive_scan/04_no_bank_conflicts.cu
//
// Idea: leave a word free behind every 32. Nodes that are 32, 64, 128 ... elements apart then lie
// in different banks. Nothing but the place of an element changes. (Harris, Sengupta, Owens 2007.)
// Expect: fewer steps in shared memory, at the price of a shift and an addition per access. Whether
// the time follows depends on what else the block waits for: twenty barriers per tile.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 512;
constexpr int kTile = 2 * kBlockSize;
constexpr int kBanks = 32;

// The place of element i of the tile: a row of kBanks elements takes kBanks + 1 words.
__host__ __device__ constexpr int padded(int i) {
  return i + i / kBanks;
}

// A block per tile, a thread per two elements, kBlockSize apart. `sums` gets the sum of each
// tile.
__global__ void scan_tiles_kernel(const unsigned* input, size_t n, unsigned* result,
                                  unsigned* sums) {
  __shared__ unsigned tree[padded(kTile)];
  const size_t first = blockIdx.x * static_cast<size_t>(kTile);
  for (int i = threadIdx.x; i < kTile; i += kBlockSize)
    tree[padded(i)] = first + i < n ? input[first + i] : 0;

  // Each barrier separates a level from the next one: other threads compute what a pair reads.
  for (int stride = 1; stride < kTile; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (threadIdx.x + 1) - 1;
    if (right < kTile) tree[padded(right)] += tree[padded(right - stride)];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = tree[padded(kTile - 1)];
    tree[padded(kTile - 1)] = 0;
  }
  for (int stride = kTile / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int right = 2 * stride * (threadIdx.x + 1) - 1;
    if (right < kTile) {
      const unsigned left_sum = tree[padded(right - stride)];
      tree[padded(right - stride)] = tree[padded(right)];
      tree[padded(right)] += left_sum;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kTile; i += kBlockSize)
    if (first + i < n) result[first + i] = tree[padded(i)];
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

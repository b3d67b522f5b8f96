// verdict: =wrong
// Adds to each tile the sum of the tile before it, not that of all tiles before it: right for two.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 1024;

// A block of a single thread per tile.
__global__ void scan_tiles_kernel(const int* input, size_t n, int* result, unsigned* sums) {
  const size_t first = blockIdx.x * static_cast<size_t>(kTile);
  unsigned sum = 0;
  for (size_t i = first; i < first + kTile && i < n; ++i) {
    result[i] = sum;
    sum += input[i];
  }
  sums[blockIdx.x] = sum;
}

__global__ void add_kernel(int* result, size_t n, const unsigned* sums) {
  const size_t i = blockIdx.x * static_cast<size_t>(kTile) + threadIdx.x;
  if (blockIdx.x > 0 && i < n) result[i] += sums[blockIdx.x - 1];
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0) return;
  const int tiles = ceil_div(n, kTile);
  auto* sums = workspace.take<unsigned>(tiles);
  scan_tiles_kernel<<<tiles, 1>>>(input, n, result, sums);
  add_kernel<<<tiles, kTile>>>(result, n, sums);
  CUDA_CHECK(cudaGetLastError());
}

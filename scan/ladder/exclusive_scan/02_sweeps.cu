// Rung 2: up and down a tree of sums, one launch per level.
//
//   make check-scan PART=exclusive_scan WITH=ladder/exclusive_scan/02_sweeps.cu
//
// Idea: the sums of pairs, of fours, of eights do not need each other: log2(n) steps in which all
// sums of a size are formed side by side, in place (the up-sweep). The last element, which holds
// the sum of all, becomes 0; then the same tree is walked down, and each node hands the
// sum before the node to the left child, and that sum plus the left child's to the right child (the
// down-sweep). 2 n additions in all; n additions would be needed. (Blelloch 1990.)
// Expect: much faster than a single thread. But every level is a separate launch, and goes through
// memory with a stride that doubles: from eight elements on, each touches a separate sector.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// The number of this thread within the grid.
__device__ size_t global_thread() {
  return blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
}

// A thread per element of the tree, whose lowest level is the input, filled up with zeros.
__global__ void plant_kernel(const int* input, size_t n, unsigned* tree, size_t padded) {
  const size_t i = global_thread();
  if (i < padded) tree[i] = i < n ? input[i] : 0;
}

// A thread per pair of neighbouring nodes: the right node becomes the sum of both.
__global__ void up_sweep_kernel(unsigned* tree, size_t pairs, size_t stride) {
  const size_t i = global_thread();
  if (i >= pairs) return;
  const size_t right = 2 * stride * (i + 1) - 1;
  tree[right] += tree[right - stride];
}

// A thread per pair: the parent's value is in the place of the right node.
__global__ void down_sweep_kernel(unsigned* tree, size_t pairs, size_t stride) {
  const size_t i = global_thread();
  if (i >= pairs) return;
  const size_t right = 2 * stride * (i + 1) - 1;
  const unsigned left_sum = tree[right - stride];
  tree[right - stride] = tree[right];
  tree[right] += left_sum;
}

unsigned blocks_for(size_t threads) {
  return static_cast<unsigned>(ceil_div(threads, kBlockSize));
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0) return;
  size_t padded = 1;
  while (padded < static_cast<size_t>(n))
    padded *= 2;
  auto* tree = workspace.take<unsigned>(padded);
  plant_kernel<<<blocks_for(padded), kBlockSize>>>(input, n, tree, padded);
  for (size_t stride = 1; stride < padded; stride *= 2) {
    const size_t pairs = padded / (2 * stride);
    up_sweep_kernel<<<blocks_for(pairs), kBlockSize>>>(tree, pairs, stride);
  }
  CUDA_CHECK(cudaMemsetAsync(tree + padded - 1, 0, sizeof(unsigned)));
  for (size_t stride = padded / 2; stride > 0; stride /= 2) {
    const size_t pairs = padded / (2 * stride);
    down_sweep_kernel<<<blocks_for(pairs), kBlockSize>>>(tree, pairs, stride);
  }
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(result, tree, n * sizeof(int), cudaMemcpyDeviceToDevice));
}

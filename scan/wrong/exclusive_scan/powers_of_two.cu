// verdict: =wrong
// from: ladder/exclusive_scan/02_sweeps.cu
// Sweeps over as many elements as the largest power of two that fits: the rest is left out.
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
  while (2 * padded <= static_cast<size_t>(n))
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
  CUDA_CHECK(cudaMemcpyAsync(result, tree, padded * sizeof(int), cudaMemcpyDeviceToDevice));
}

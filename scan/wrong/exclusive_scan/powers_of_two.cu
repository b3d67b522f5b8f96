// verdict: =wrong,cuda_error
// Sweeps through the result itself, up to the largest power of two that fits: the rest is left out.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void up_sweep_kernel(unsigned* tree, size_t pairs, size_t stride) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i >= pairs) return;
  const size_t right = 2 * stride * (i + 1) - 1;
  tree[right] += tree[right - stride];
}

__global__ void down_sweep_kernel(unsigned* tree, size_t pairs, size_t stride) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i >= pairs) return;
  const size_t right = 2 * stride * (i + 1) - 1;
  const unsigned left_sum = tree[right - stride];
  tree[right - stride] = tree[right];
  tree[right] += left_sum;
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  size_t size = 1;
  while (2 * size <= static_cast<size_t>(n))
    size *= 2;
  auto* tree = reinterpret_cast<unsigned*>(result);
  CUDA_CHECK(cudaMemcpyAsync(tree, input, n * sizeof(int), cudaMemcpyDeviceToDevice));
  for (size_t stride = 1; stride < size; stride *= 2) {
    const size_t pairs = size / (2 * stride);
    up_sweep_kernel<<<ceil_div(pairs, kBlockSize), kBlockSize>>>(tree, pairs, stride);
  }
  CUDA_CHECK(cudaMemsetAsync(tree + size - 1, 0, sizeof(unsigned)));
  for (size_t stride = size / 2; stride > 0; stride /= 2) {
    const size_t pairs = size / (2 * stride);
    down_sweep_kernel<<<ceil_div(pairs, kBlockSize), kBlockSize>>>(tree, pairs, stride);
  }
  CUDA_CHECK(cudaGetLastError());
}

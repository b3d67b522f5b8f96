// verdict: =ok case=33 speed=0..1
// Another network: neighbours in wrong order change places, in n rounds of a single block.
#include "cuda_check.h"
#include "sort.h"
#include "total_order.h"

namespace {

constexpr int kBlockSize = 256;

__device__ int order(float key) {
  return total_order(__float_as_int(key));
}

// A single block. Each thread takes every kBlockSize-th pair of neighbours of a round.
__global__ void sort_kernel(float* keys, unsigned* indices, int n) {
  for (int round = 0; round < n; ++round) {
    for (int i = round % 2 + 2 * threadIdx.x; i + 1 < n; i += 2 * kBlockSize) {
      if (order(keys[i]) <= order(keys[i + 1])) continue;
      const float key = keys[i];
      keys[i] = keys[i + 1];
      keys[i + 1] = key;
      const unsigned index = indices[i];
      indices[i] = indices[i + 1];
      indices[i + 1] = index;
    }
    __syncthreads();
  }
}

}  // namespace

void bitonic_sort(float* keys, unsigned* indices, int n, Workspace&) {
  if (n > 1) sort_kernel<<<1, kBlockSize>>>(keys, indices, n);
  CUDA_CHECK(cudaGetLastError());
}

// Clusters: shared memory of another block counts as shared memory, a cluster's barrier as a
// barrier.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// kernel pairs: blocks=4 static_shared=4096
__global__ void __cluster_dims__(2) pairs(float* out) {
  __shared__ float words[1024];
  const cg::cluster_group cluster = cg::this_cluster();
  const int other = 1 - static_cast<int>(cluster.block_rank());
  for (int i = threadIdx.x; i < 1024; i += 64)
    words[i] = i;  // shared_store: requests=128 wavefronts=128
  cluster.sync();  // barrier: requests=8 lanes=256
  const float* remote = cluster.map_shared_rank(words, other);
  float sum = remote[threadIdx.x];       // shared_load: requests=8 wavefronts=8 conflicts=0
  sum += remote[threadIdx.x % 32 * 32];  // shared_load: requests=8 wavefronts=256
  if (cluster.block_rank() == 0) sum += remote[0];  // shared_load: requests=4 lanes=128
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  cluster.sync();  // barrier: requests=8 lanes=256
}

int main() {
  float* out;
  cudaMalloc(&out, 4 * 64 * sizeof(float));
  pairs<<<4, 64>>>(out);
  return cudaDeviceSynchronize();
}

// Clusters: what ends a launch, and what is said of it.
// expect: rank cudaErrorInvalidValue
// expect: twice cudaErrorLaunchFailure
// expect: far cudaErrorIllegalAddress
// expect: stuck cudaErrorLaunchTimeout
// stderr: tests/cpudevice/fault/clusters.cu:@a: asks for the shared memory of a block beyond its cluster
// stderr: tests/cpudevice/fault/clusters.cu:@b: arrives at the cluster's barrier a second time without waiting in between
// stderr: thread (5,0,0), tests/cpudevice/fault/clusters.cu:@c: wrote to address
// stderr: past the end of the block's 128 bytes of shared memory
// stderr: nothing can run any more: threads 0-30 wait in sync() of a cluster_group at tests/cpudevice/fault/clusters.cu:@d; thread 31 waits in __syncthreads()
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) rank_kernel(int** out) {
  __shared__ int value;
  *out = cg::this_cluster().map_shared_rank(&value, 2);  // @a
}
__global__ void __cluster_dims__(2) twice_kernel() {
  cg::this_cluster().barrier_arrive();
  cg::this_cluster().barrier_arrive();  // @b
  cg::this_cluster().barrier_wait();
}
__global__ void __cluster_dims__(2) far_kernel() {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  int* const other = cluster.map_shared_rank(value, 1 - static_cast<int>(cluster.block_rank()));
  cluster.sync();
  if (threadIdx.x == 5) {
    other[threadIdx.x + 1000] = 1;  // @c
  }
  cluster.sync();
}
__global__ void __cluster_dims__(2) stuck_kernel() {
  if (threadIdx.x == 31) {
    __syncthreads();
  } else {
    cg::this_cluster().sync();  // @d
  }
}

void say(const char* name) {
  printf("%s %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
}

int main() {
  int** out;
  cudaMalloc(&out, sizeof *out);
  rank_kernel<<<2, 1>>>(out);
  say("rank");
  twice_kernel<<<2, 32>>>();
  say("twice");
  far_kernel<<<2, 32>>>();
  say("far");
  stuck_kernel<<<2, 32>>>();
  say("stuck");
}

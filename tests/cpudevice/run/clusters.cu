// Thread block clusters: shapes, barriers, also in two parts, shared memory of other blocks,
// launches with and without attributes, and what is refused
// expect: done
// stderr: is not made of whole clusters
// stderr: has 16 blocks; it may have at most 8
// stderr: its __cluster_dims__ are 2 x 1 x 1, and the launch asks for 4 x 1 x 1
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 96;

// A thread's place in a cluster.
struct Place {
  unsigned block_rank, blocks, thread_rank, threads;
  uint3 block, thread;
  dim3 dim_blocks, dim_threads;
};

__device__ void note_place(Place* places) {
  const cg::cluster_group cluster = cg::this_cluster();
  const dim3 block = cluster.block_index(), thread = cluster.thread_index();
  const size_t number = cg::this_grid().thread_rank();
  places[number] = {cluster.block_rank(),        cluster.num_blocks(),
                    cluster.thread_rank(),       cluster.num_threads(),
                    {block.x, block.y, block.z}, {thread.x, thread.y, thread.z},
                    cluster.dim_blocks(),        cluster.dim_threads()};
}

__global__ void __cluster_dims__(2, 2, 1) place_kernel(Place* places) {
  note_place(places);
}
__global__ void plain_place_kernel(Place* places) {
  note_place(places);
}

void test_places() {
  Place* places;
  CHECK_OK(cudaMallocManaged(&places, 4 * 4 * 2 * 4 * sizeof(Place)));
  place_kernel<<<dim3(4, 4, 2), dim3(2, 2)>>>(places);
  CHECK_OK(cudaDeviceSynchronize());
  // Block (3,2,1) is block (1,0) of its cluster; its thread (1,1) is thread (3,1) of the cluster.
  const Place& p = places[((1 * 4 + 2) * 4 + 3) * 4 + 3];
  CHECK(p.block.x == 1 && p.block.y == 0 && p.block.z == 0 && p.block_rank == 1);
  CHECK(p.thread.x == 3 && p.thread.y == 1 && p.thread_rank == 7);
  CHECK(p.blocks == 4 && p.threads == 16 && p.dim_blocks.x == 2 && p.dim_blocks.y == 2);
  CHECK(p.dim_threads.x == 4 && p.dim_threads.y == 4 && p.dim_threads.z == 1);
  plain_place_kernel<<<3, 32>>>(places);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(places[70].blocks == 1 && places[70].block_rank == 0 && places[70].thread_rank == 6);
  CHECK_OK(cudaFree(places));
}

// Each block sums its part; block 0 of the cluster adds the sums of all blocks.
__global__ void __cluster_dims__(4) sum_kernel(const int* in, int* sums) {
  __shared__ int sum;
  extern __shared__ int part[];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  atomicAdd(&sum, part[threadIdx.x]);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x < cluster.num_blocks()) {
    const int* const other = cluster.map_shared_rank(&sum, static_cast<int>(threadIdx.x));
    CHECK(cluster.query_shared_rank(other) == threadIdx.x);
    atomicAdd(&sums[blockIdx.x / 4], *other);
  }
  cluster.sync();
}

// Blocks hand arrays round in a ring, many times.
__global__ void ring_kernel(int* out, int rounds) {
  extern __shared__ int slots[];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks();
  int value = static_cast<int>(rank * 1000 + threadIdx.x);
  for (int i = 0; i < rounds; ++i) {
    int* const next = cluster.map_shared_rank(slots, static_cast<int>((rank + 1) % blocks));
    cluster.sync();
    next[threadIdx.x] = value + 1;
    cluster.sync();
    value = slots[threadIdx.x];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

// A histogram whose bins lie in several blocks.
__global__ void __cluster_dims__(2) histogram_kernel(const int* in, int n, int* bins) {
  __shared__ int own[16];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  cluster.sync();
  for (int i = static_cast<int>(cluster.thread_rank()); i < n;
       i += static_cast<int>(cluster.num_threads())) {
    const int bin = in[i];
    atomicAdd(cluster.map_shared_rank(&own[bin % 16], bin / 16), 1);
  }
  cluster.sync();
  if (threadIdx.x < 16) bins[cluster.block_rank() * 16 + threadIdx.x] = own[threadIdx.x];
}

// A thread may do other work between arrival and wait, and threads may end.
__global__ void __cluster_dims__(2) halves_kernel(int* out) {
  __shared__ int value;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x >= 64) return;
  if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x) + 1;
  cg::cluster_group::arrival_token token = cluster.barrier_arrive();
  int sum = 0;
  for (int i = 0; i < 10; ++i)
    sum += __shfl_sync(~0u, i, 0);
  cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token&&>(token));
  const int other = *cluster.map_shared_rank(&value, 1 - static_cast<int>(cluster.block_rank()));
  __cluster_barrier_arrive();
  out[blockIdx.x * 64 + threadIdx.x] = 100 * sum + other;
  __cluster_barrier_wait();
}

// Block 1 of each cluster ends at once.
__global__ void __cluster_dims__(3) leaver_kernel(int* out) {
  if (__clusterRelativeBlockRank() == 1) return;
  cg::this_cluster().sync();
  atomicAdd(out, 1);
}

template <typename... Parameters, typename... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), int grid, int block, int cluster,
                   size_t shared_bytes, Arguments... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = static_cast<unsigned>(cluster);
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = grid;
  configuration.blockDim = block;
  configuration.dynamicSmemBytes = shared_bytes;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  return cudaLaunchKernelEx(&configuration, kernel, arguments...);
}

int main() {
  test_places();
  constexpr int kBlocks = 24, kCount = kBlocks * kThreads;
  int *in, *out;
  CHECK_OK(cudaMallocManaged(&in, kCount * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) {
    in[i] = i % 32;
    out[i] = 0;
  }
  sum_kernel<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(in, out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kBlocks / 4; ++i)
    CHECK(out[i] == 4 * kThreads / 32 * 496);

  for (int cluster : {2, 3, 8}) {
    CHECK_OK(launch(ring_kernel, kBlocks, kThreads, cluster, kThreads * sizeof(int), out, 50));
    CHECK_OK(cudaDeviceSynchronize());
    for (int i = 0; i < kCount; ++i) {
      const int rank = i / kThreads % cluster;
      const int from = ((rank - 50) % cluster + cluster) % cluster;
      CHECK(out[i] == from * 1000 + i % kThreads + 50);
    }
  }
  histogram_kernel<<<2, kThreads>>>(in, kCount, out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i)
    CHECK(out[i] == kCount / 32);
  halves_kernel<<<4, kThreads>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4 * 64; ++i)
    CHECK(out[i] == 4500 + (i / 64 ^ 1) + 1);
  *out = 0;
  leaver_kernel<<<6, 32>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*out == 4 * 32);

  sum_kernel<<<6, kThreads, kThreads * sizeof(int)>>>(in, out);
  CHECK_ERROR(cudaErrorInvalidClusterSize, cudaGetLastError());
  CHECK_ERROR(cudaErrorInvalidClusterSize, launch(ring_kernel, 16, 32, 16, 128, out, 1));
  CHECK_OK(cudaFuncSetAttribute(ring_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK_OK(launch(ring_kernel, 16, 32, 16, 128, out, 1));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 15001);
  CHECK_ERROR(cudaErrorInvalidClusterSize, launch(halves_kernel, 4, 32, 4, 0, out));

  cudaFuncAttributes attributes;
  CHECK_OK(cudaFuncGetAttributes(&attributes, halves_kernel));
  CHECK(attributes.requiredClusterWidth == 2 && attributes.requiredClusterHeight == 1);
  int value;
  CHECK_OK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
  CHECK(value == 1);
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = 16;
  configuration.blockDim = 1024;
  CHECK_OK(cudaOccupancyMaxActiveClusters(&value, halves_kernel, &configuration));
  CHECK(value >= 1);
  CHECK_OK(cudaOccupancyMaxPotentialClusterSize(&value, plain_place_kernel, &configuration));
  CHECK(value == 8);
  CHECK_OK(cudaFree(in));
  CHECK_OK(cudaFree(out));
  printf("done\n");
}

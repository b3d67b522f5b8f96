// Blocks of a cluster at the same places of their shared memory and of global memory.
// finding: race @a @b
// finding: race @d @c
// finding: race @e @f
// finding: bad_access @g
// finding: bad_access @h
// finding: bad_access @i
// finding: bad_access @j
// finding: uninitialised @k
// finding: race @m @l
// said: and no sync() of the cluster stands between
// said: , which may have ended by then
// said: which has ended
// said: which may not have begun
// said: block (1,0,0)'s 128 bytes of shared memory
#include <cooperative_groups.h>

#include "launch.h"

namespace cg = cooperative_groups;

#define CLUSTER(name) __global__ void __cluster_dims__(2) name(int* out)

// Writes to the other block, which reads without waiting.
CLUSTER(write_then_read) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const int other = 1 - static_cast<int>(cluster.block_rank());
  value[threadIdx.x] = 0;
  cluster.sync();
  cluster.map_shared_rank(value, other)[threadIdx.x] = 1;   // @a
  out[blockIdx.x * 32 + threadIdx.x] = value[threadIdx.x];  // @b
  cluster.sync();
}

// Writes again what the other block may still read: a barrier of the block is not enough.
CLUSTER(read_then_write) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  const int other = 1 - static_cast<int>(cluster.block_rank());
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] =
      cluster.map_shared_rank(value, other)[31 - threadIdx.x];  // @d
  __syncthreads();
  value[threadIdx.x] = 0;  // @c
  cluster.sync();
}

// Global memory: only the first half is behind the barrier.
CLUSTER(global_memory) {
  const cg::cluster_group cluster = cg::this_cluster();
  const int other = 1 - static_cast<int>(cluster.block_rank());
  out[128 + blockIdx.x * 32 + threadIdx.x] = 1;
  cluster.sync();
  out[256 + blockIdx.x * 32 + threadIdx.x] = out[128 + other * 32 + threadIdx.x];  // @e
  out[blockIdx.x * 32 + threadIdx.x] = out[256 + other * 32 + threadIdx.x];        // @f
}

// The last block runs on first: block 0 may have ended before the read, and the other way round.
CLUSTER(reads_of_last) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 1) {
    out[threadIdx.x] = cluster.map_shared_rank(value, 0)[threadIdx.x];  // @g
  }
}
CLUSTER(reads_of_first) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    out[threadIdx.x] = cluster.map_shared_rank(value, 1)[threadIdx.x];  // @h
  }
}

// Block 1 may not have begun.
CLUSTER(too_early) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  if (cluster.block_rank() == 0) cluster.map_shared_rank(value, 1)[threadIdx.x] = 1;  // @i
  cluster.sync();
  if (cluster.block_rank() == 1) value[threadIdx.x] = 1;
  out[blockIdx.x * 32 + threadIdx.x] = 1;
  cluster.sync();
}

// Behind the end of another block's shared memory.
CLUSTER(too_far) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = 1;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    int* const other = cluster.map_shared_rank(value, 1);
    out[threadIdx.x] = other[threadIdx.x + 1];  // @j
  }
  cluster.sync();
}

CLUSTER(unwritten) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  if (cluster.block_rank() == 0) value[threadIdx.x] = 1;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    out[threadIdx.x] = cluster.map_shared_rank(value, 1)[threadIdx.x];  // @k
  }
  cluster.sync();
}

// A plain addition beside an atomic addition.
CLUSTER(half_atomic) {
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  if (cluster.block_rank() == 1 && threadIdx.x == 0) {
    atomicAdd(cluster.map_shared_rank(&sum, 0), 1);  // @m
  }
  if (cluster.block_rank() == 0 && threadIdx.x == 0) sum += 1;  // @l
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Correct kernels: barriers in both forms, atomics, many clusters in turn, blocks that
// wait for each other by a flag, and no barrier at the end where no other block reads.
CLUSTER(right) {
  __shared__ int value[32];
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  const int other = 1 - static_cast<int>(cluster.block_rank());
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  for (int i = 0; i < 3; ++i) {
    cluster.map_shared_rank(value, other)[threadIdx.x] = i;
    cluster.barrier_arrive();
    cluster.barrier_wait();
    atomicAdd(cluster.map_shared_rank(&sum, i % 2), value[31 - threadIdx.x]);
    cluster.sync();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void __cluster_dims__(2) flags(int* out, volatile int* done) {
  __shared__ int value[32];
  const cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) {
    out[threadIdx.x] = cluster.map_shared_rank(value, 1)[threadIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *done = 1;
  } else {
    if (threadIdx.x == 0) {
      while (*done == 0) {
      }
    }
    __syncthreads();
  }
}

int main() {
  int* data = zeros<int>(512);
  int* flag = zeros<int>(1);
  write_then_read<<<2, 32>>>(data);
  read_then_write<<<2, 32>>>(data);
  global_memory<<<2, 32>>>(data);
  reads_of_last<<<2, 32>>>(data);
  reads_of_first<<<2, 32>>>(data);
  too_early<<<2, 32>>>(data);
  unwritten<<<2, 32>>>(data);
  half_atomic<<<2, 32>>>(data);
  right<<<8, 32>>>(data);
  flags<<<2, 32>>>(data, flag);
  too_far<<<2, 32>>>(data);  // ends the program's kernels
  cudaFree(flag);
  finish(data);
}

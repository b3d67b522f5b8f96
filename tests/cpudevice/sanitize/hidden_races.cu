// Races that an access in between seems to order: an atomic or fence at another address, a barrier
// of the warp alone, a barrier too early. In shared memory, in global memory, in a
// __device__ variable.
// finding: race @b @a
// finding: race @d @c
// finding: race @f @e
// finding: race @h @g
// finding: race @i @i
#include "launch.h"

__device__ int total;

__global__ void unrelated_atomic(int* out) {
  __shared__ int tile[64], counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;  // @a
  __threadfence_block();
  atomicAdd(&counter, 1);
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @b
}

__global__ void barrier_of_the_warp(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // @c
  __syncwarp();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @d
}

__global__ void barrier_too_early(int* out) {
  __shared__ int tile[64];
  __syncthreads();
  tile[threadIdx.x] = threadIdx.x;            // @e
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @f
}

__global__ void global_memory(int* data, int* out) {
  data[threadIdx.x] = threadIdx.x;            // @g
  out[threadIdx.x] = data[63 - threadIdx.x];  // @h
}

__global__ void variable(int* out) {
  if (threadIdx.x == 0) total += out[blockIdx.x];  // @i
}

int main() {
  int* data = zeros<int>(64);
  int* out = zeros<int>(64);
  unrelated_atomic<<<1, 64>>>(out);
  barrier_of_the_warp<<<1, 64>>>(out);
  barrier_too_early<<<1, 64>>>(out);
  global_memory<<<1, 64>>>(data, out);
  variable<<<8, 32>>>(out);
  cudaFree(data);
  finish(out);
}

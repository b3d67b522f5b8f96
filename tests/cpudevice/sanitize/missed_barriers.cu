// Barriers that a part of the block misses in some rounds, or always.
// finding: barrier @a
// finding: barrier @b
// finding: barrier @d @c
// said: went round this __syncthreads() and are at the end of the kernel
// not said: returned
#include "launch.h"

// The second warp does one round less.
__global__ void uneven_loop(int* data) {
  const int rounds = threadIdx.x < 32 ? 3 : 2;
  for (int i = 0; i < rounds; ++i) {
    data[threadIdx.x] += i;
    __syncthreads();  // @a
  }
}

// A part of a warp skips the barrier.
__global__ void skipped(int* data) {
  if (data[threadIdx.x] % 2 == 0) {
    __syncthreads();  // @b
  }
}

// Both wait, but at barriers of different kinds.
__global__ void different(int* data) {
  if (threadIdx.x < 32) {
    __syncthreads();  // @c
  } else {
    data[threadIdx.x] = __syncthreads_or(0);  // @d
  }
}

// The condition is the same for the whole block.
__global__ void right(int* data, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    if (rounds > 1) __syncthreads();
    data[threadIdx.x] += i;
    if (blockIdx.x == 0) __syncthreads();
  }
}

int main() {
  int* data = zeros<int>(64);
  int values[64];
  for (int i = 0; i < 64; ++i)
    values[i] = i;
  uneven_loop<<<1, 64>>>(data);
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  skipped<<<1, 64>>>(data);
  different<<<1, 64>>>(data);
  right<<<1, 64>>>(data, 3);
  finish(data);
}

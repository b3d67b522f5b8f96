// One lane publishes what all lanes of the warp have written: each lane's fence counts for the lane
// that sets the flag if a __syncwarp stands between, and only then.
// finding: race @a @b
// finding: race @c @d
// finding: race @e @f
#include "launch.h"

// Waits until the flag is set, with the whole warp.
__device__ void await(int* flag) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
  }
  __syncwarp();
}

__global__ void right(int* values, int* flag, int* out) {
  if (blockIdx.x == 0) {
    values[threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncwarp();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    await(flag);
    out[threadIdx.x] = values[31 - threadIdx.x];
  }
}

// The same in shared memory, from warp to warp.
__global__ void right_in_a_block(int* out) {
  __shared__ int values[32];
  __shared__ unsigned set;
  if (threadIdx.x == 0) set = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    values[lane] = lane;
    __threadfence_block();
    __syncwarp();
    if (lane == 0) atomicExch(&set, 1);
  } else {
    while (atomicAdd(&set, 0) == 0) {
    }
    out[lane] = values[31 - lane];
  }
}

__global__ void no_wait(int* values, int* flag, int* out) {
  if (blockIdx.x == 0) {
    values[threadIdx.x] = threadIdx.x;  // @b
    __threadfence();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    await(flag);
    out[threadIdx.x] = values[31 - threadIdx.x];  // @a
  }
}

__global__ void writes_after_its_fence(int* values, int* flag, int* out) {
  if (blockIdx.x == 0) {
    __threadfence();
    values[threadIdx.x] = threadIdx.x;  // @d
    __syncwarp();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    await(flag);
    out[threadIdx.x] = values[31 - threadIdx.x];  // @c
  }
}

// The fence reaches the block only.
__global__ void small_fence(int* values, int* flag, int* out) {
  if (blockIdx.x == 0) {
    values[threadIdx.x] = threadIdx.x;  // @f
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    await(flag);
    out[threadIdx.x] = values[31 - threadIdx.x];  // @e
  }
}

int main() {
  int* values = zeros<int>(32);
  int* flags = zeros<int>(4);
  int* out = zeros<int>(32);
  right<<<2, 32>>>(values, flags, out);
  right_in_a_block<<<1, 64>>>(out);
  no_wait<<<2, 32>>>(values, flags + 1, out);
  writes_after_its_fence<<<2, 32>>>(values, flags + 2, out);
  small_fence<<<2, 32>>>(values, flags + 3, out);
  finish(values);
  finish(flags);
  finish(out);
}

// A thread writes a second time to a place, plainly and then by a volatile or an atomic: other
// threads have waited for the first write, not for the second write; or for neither.
// finding: race @a @b
// finding: race @c @d
// finding: race @e @f
// finding: race @g @g
// finding: race @h @i
// finding: race @j @k
#include <cuda/barrier>

#include "launch.h"

__global__ void by_a_volatile(int* out) {
  __shared__ int value;
  volatile int* const other_name = &value;
  if (threadIdx.x == 0) value = 1;
  __syncwarp();
  if (threadIdx.x == 0) *other_name = 7;       // @b
  if (threadIdx.x == 1) out[0] = *other_name;  // @a
}

__global__ void after_a_first_volatile(int* out) {
  __shared__ volatile int value;
  if (threadIdx.x == 0) value = 1;
  __syncwarp();
  if (threadIdx.x == 0) value = 7;       // @d
  if (threadIdx.x == 1) out[0] = value;  // @c
}

// The same warp has waited for the first write, the other warp has not.
__global__ void in_a_warp(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;  // @f
  __syncwarp();
  if (threadIdx.x % 32 == 0) atomicAdd(&count, 1);  // @e
  __syncthreads();
  out[threadIdx.x % 32] = count;
}

__global__ void by_two(int* out) {
  __shared__ volatile int value;
  if (threadIdx.x < 2) value = threadIdx.x;  // @g
  __syncthreads();
  out[threadIdx.x] = value;
}

// A fence alone orders nothing: others may add before the counter is 0.
__global__ void behind_a_fence(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;  // @i
  __threadfence_block();
  atomicAdd(&count, 1);  // @h
  __syncthreads();
  out[threadIdx.x] = count;
}

// A fence of the block's scope is none for another block.
__device__ int total;
__global__ void in_a_block(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (blockIdx.x + threadIdx.x == 0) total = 0;  // @k
  barrier.arrive_and_wait();
  if (threadIdx.x == 0) out[blockIdx.x] = atomicAdd(&total, 1);  // @j
}

// The waiting thread comes first.
__global__ void flag(int* out) {
  __shared__ volatile int ready;
  __shared__ int sent;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (ready == 0) {
    }
    __threadfence_block();
    out[0] = sent;
  } else if (threadIdx.x == 40) {
    sent = 5;
    __threadfence_block();
    ready = 1;
  }
}

__global__ void right(int* out) {
  __shared__ volatile int value;
  if (threadIdx.x == 0) value = 1;
  __syncwarp();
  const int first = value;
  __syncwarp();
  if (threadIdx.x == 0) value = 7;
  __syncwarp();
  out[threadIdx.x] = first + value;
}

int main() {
  int* out = zeros<int>(32);
  right<<<1, 32>>>(out);
  flag<<<1, 64>>>(out);
  by_a_volatile<<<1, 32>>>(out);
  after_a_first_volatile<<<1, 32>>>(out);
  in_a_warp<<<1, 64>>>(out);
  by_two<<<1, 32>>>(out);
  behind_a_fence<<<1, 32>>>(out);
  in_a_block<<<2, 32>>>(out);
  finish(out);
}

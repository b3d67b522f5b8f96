// What a thread writes to a place that it has written before, plainly and then by a volatile or an
// atomic: others have waited for the first write, not for the second one; or for neither.
// finding: race @a @b
// finding: race @c @d
// finding: race @e @f
// finding: race @g @g
// finding: race @h @i
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

__global__ void by_an_atomic(int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) value = 1;
  __syncwarp();
  if (threadIdx.x == 0) atomicAdd(&value, 6);  // @f
  if (threadIdx.x == 1) out[0] = value;        // @e
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
  by_a_volatile<<<1, 32>>>(out);
  after_a_first_volatile<<<1, 32>>>(out);
  by_an_atomic<<<1, 32>>>(out);
  by_two<<<1, 32>>>(out);
  behind_a_fence<<<1, 32>>>(out);
  finish(out);
}

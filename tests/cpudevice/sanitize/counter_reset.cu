// A thread resets a counter plainly, and all threads then change the counter atomically: the reset
// may come after additions of other threads. With a barrier in between the program is correct.
// finding: race @b @a
#include "launch.h"

__global__ void reset_kernel(int* counter) {
  if (threadIdx.x == 0) *counter = 0;  // @a
  atomicAdd(counter, 1);               // @b
}

__global__ void ordered_kernel(int* counter) {
  if (threadIdx.x == 0) *counter = 0;
  __syncthreads();
  atomicAdd(counter, 1);
}

int main() {
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  reset_kernel<<<1, 64>>>(counter);
  ordered_kernel<<<1, 64>>>(counter);
  cudaDeviceSynchronize();
  cudaFree(counter);
}

// A counter that one thread resets plainly, and that all then change atomically: the reset may come
// after what others added. With a barrier in between it is right.
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

// Blocks of a single, waiting thread: the thread of the next block starts on the same stack,
// whatever the stack was used for before.
// expect: barriers 499500
// expect: sleeps 499500
// expect: flag 64 times
#include <cstdio>

__global__ void many_threads(int* out) {
  __syncthreads();
  if (threadIdx.x == 0) *out = 0;
  __syncthreads();
}
__global__ void barriers(int* sum) {
  __shared__ int number;
  number = blockIdx.x;
  __syncthreads();
  atomicAdd(sum, number);
  __syncwarp();
}
__global__ void sleeps(int* sum) {
  __nanosleep(10);
  atomicAdd(sum, blockIdx.x);
  __nanosleep(10);
}
// The first block waits for the last, and the last block's worker may have other blocks to run.
__global__ void wait_for_last(volatile int* flag, int* seen) {
  if (blockIdx.x == 0) {
    while (*flag == 0)
      __nanosleep(100);
    ++*seen;
  } else if (blockIdx.x == gridDim.x - 1) {
    *flag = 1;
  }
}

int main() {
  int* data;
  cudaMallocManaged(&data, 2 * sizeof(int));
  many_threads<<<20, 64>>>(data);
  barriers<<<1000, 1>>>(data);
  cudaDeviceSynchronize();
  printf("barriers %d\n", data[0]);

  data[0] = 0;
  sleeps<<<1000, 1>>>(data);
  cudaDeviceSynchronize();
  printf("sleeps %d\n", data[0]);

  data[1] = 0;
  for (int k = 0; k < 64; ++k) {
    data[0] = 0;
    wait_for_last<<<8, 1>>>(data, data + 1);
    cudaDeviceSynchronize();
  }
  printf("flag %d times\n", data[1]);
  return cudaGetLastError();
}

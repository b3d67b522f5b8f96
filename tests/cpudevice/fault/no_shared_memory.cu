// A launch without the bytes of an array whose size it has to give.
// expect: cudaErrorIllegalAddress
// stderr: kernel reverse, block (0,0,0), thread (0,0,0), tests/cpudevice/fault/no_shared_memory.cu:@a: wrote to
// stderr: just past the end of the block's 0 bytes of shared memory: an extern __shared__ array has
#include <cstdio>

__global__ void reverse(int* data) {
  extern __shared__ int copy[];
  copy[threadIdx.x] = data[threadIdx.x];  // @a
  __syncthreads();
  data[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int* data;
  cudaMalloc(&data, 32 * sizeof(int));
  reverse<<<1, 32>>>(data);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

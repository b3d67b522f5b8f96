// Threads that wait for each other forever are reported, with ranges and lines.
// expect: shuffle cudaErrorLaunchTimeout
// expect: barrier cudaErrorLaunchTimeout
// stderr: kernel half_shuffle, block (0,0,0): nothing can run any more: threads 0-15 wait in __shfl_sync
// stderr: mask 0xffffffff at tests/cpudevice/fault/deadlock.cu:@a; threads 16-31 wait in __syncthreads() at tests/cpudevice/fault/deadlock.cu:@b
// stderr: kernel missing_lane, block (0,0,0): nothing can run any more: threads 0-6 wait in __syncwarp() with mask 0x000000ff at tests/cpudevice/fault/deadlock.cu:@c; threads 7-31 wait in __syncthreads() at tests/cpudevice/fault/deadlock.cu:@d
#include <cstdio>

__global__ void half_shuffle(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) {
    v = __shfl_sync(0xffffffffu, v, 0);  // @a
  } else {
    __syncthreads();  // @b
  }
  out[threadIdx.x] = v;
}
__global__ void missing_lane() {
  if (threadIdx.x < 7) __syncwarp(0xff);  // @c
  __syncthreads();                        // @d
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128);
  half_shuffle<<<1, 32>>>(out);
  printf("shuffle %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
  missing_lane<<<1, 32>>>();
  printf("barrier %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

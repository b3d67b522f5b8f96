// Two blocks of four threads say hello.
//
//   cpudevice/cudacc saxpy/hello.cu -o hello && ./hello    without a GPU
//   nvcc -arch=native saxpy/hello.cu -o hello && ./hello   with a GPU
#include <cstdio>

__global__ void hello_kernel() {
  printf("hello from thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

int main() {
  hello_kernel<<<2, 4>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

// Below compute capability 9.0 an awbarrier cannot be asked for a parity: the kernel is stopped.
// flags: -arch=sm_80
// expect: unspecified launch failure
// stderr: asks an awbarrier for a parity or with a time, below compute capability 9.0
#include <cuda_awbarrier.h>

#include <cstdio>

__global__ void kernel() {
  __shared__ nvcuda::experimental::awbarrier barrier;
  init(&barrier, 1);
  barrier.arrive_and_wait();
  barrier.try_wait_parity(false, 1000);
}

int main() {
  kernel<<<1, 1>>>();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

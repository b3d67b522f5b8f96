// A variable of the device by its name.
// stops: host_reads_device_variable.cu:15: the host reads 4 bytes of the variable counter
// status: -11
#include <cstdio>

__device__ int counter;

__global__ void count() {
  atomicAdd(&counter, 1);
}

int main() {
  count<<<1, 32>>>();
  cudaDeviceSynchronize();
  std::printf("%d\n", counter);
}

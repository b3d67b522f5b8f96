// Copies that the runtime refuses, and memory that a stream frees while another stream uses the
// memory: both are findings as well, with the line of the call.
// finding: bad_access @a
// finding: host_device @b
// finding: race @d @c
// said: cudaMemcpy: the destination has room for 128 bytes of the 132
// said: cudaMemcpy: the source a host address should be device memory, but it is host memory
// said: cudaFreeAsync frees what kernel add writes
#include "launch.h"

__global__ void add(int* data) {
  data[threadIdx.x] += 1;  // @c
}

int main() {
  int numbers[33] = {};
  int *data = zeros<int>(32), *other = zeros<int>(32);
  cudaMemcpy(data, numbers, sizeof(numbers), cudaMemcpyHostToDevice);  // @a
  cudaMemcpy(numbers, numbers + 1, 128, cudaMemcpyDeviceToHost);       // @b
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaDeviceSynchronize();
  add<<<1, 32, 0, first>>>(other);
  cudaFreeAsync(other, second);  // @d
  // In the same stream the kernel comes before the free.
  add<<<1, 32, 0, first>>>(data);
  cudaFreeAsync(data, first);
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

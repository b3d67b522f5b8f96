// The host copies to a variable of the device as to memory, and gives the variable's address to a
// kernel.
// finding: host_device @a
// finding: host_device @b
// said: the destination is the address that the host has of the __constant__ variable table
// said: at the address that the host has of the __device__ variable counts
#include "launch.h"

__constant__ int table[4];
__device__ int counts[4];

__global__ void add(int* to) {
  to[threadIdx.x] += table[threadIdx.x];  // @b
}

int main() {
  const int values[4] = {1, 2, 3, 4};
  cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice);  // @a
  cudaMemcpyToSymbol(table, values, sizeof values);
  add<<<1, 4>>>(counts);
  cudaDeviceSynchronize();
  int* address;
  cudaGetSymbolAddress((void**)&address, counts);
  add<<<1, 4>>>(address);
  cudaDeviceSynchronize();
}

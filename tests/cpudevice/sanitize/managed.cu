// The host touches managed memory while a kernel may still run, and after waiting for it. The
// second and third access is by functions without instrumentation, like numpy's.
// finding: race @a @c
// finding: race @b @c
// finding: race @d @e
#include <unistd.h>

#include <cstring>

#include "launch.h"

__global__ void fill(int* data) {
  data[threadIdx.x] = threadIdx.x;  // @c
}

__global__ void read(const int* data, int* sum) {
  atomicAdd(sum, data[threadIdx.x]);  // @e
}

int main() {
  int* data;
  cudaMallocManaged(&data, 32 * sizeof(int));
  data[3] = 1;
  fill<<<1, 32>>>(data);
  int sum = data[3];  // @a
  cudaDeviceSynchronize();
  sum += data[3];
  fill<<<1, 32>>>(data);
  const void* found = memchr(data, 7, 32 * sizeof(int));  // @b
  cudaDeviceSynchronize();
  const void* again = memchr(data, 7, 32 * sizeof(int));
  int* other;
  cudaMallocManaged(&other, 32 * sizeof(int));
  cudaMemset(other, 0, 32 * sizeof(int));
  read<<<1, 32>>>(data, other);
  swab("swapping", data, 8);  // @d
  cudaDeviceSynchronize();
  swab("swapping", data, 8);
  cudaFree(other);
  cudaFree(data);
  return found != again || sum == 0;
}

// Managed memory that the host touches while a kernel may still run; and after it has waited. The
// second time by a function that no instrumentation sees.
// finding: race @a @c
// finding: race @b @c
#include <cstring>

#include "launch.h"

__global__ void fill(int* data) {
  data[threadIdx.x] = threadIdx.x;  // @c
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
  cudaFree(data);
  return found != again || sum == 0;
}

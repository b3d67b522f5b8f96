// Memory that is never freed, allocated by the host and by a kernel.
// finding: leak @a
// finding: leak @b
#include "launch.h"

__global__ void kernel() {
  static_cast<int*>(malloc(8))[0] = 1;  // @b
}

int main() {
  int *kept, *freed;
  cudaMalloc(&kept, 100);  // @a
  cudaMalloc(&freed, 100);
  kernel<<<1, 1>>>();
  cudaDeviceSynchronize();
  cudaFree(freed);
}

// Freed memory: used by a kernel, freed again, and not the start of an allocation.
// finding: bad_access @a
// finding: double_free @b
// finding: double_free @c
// finding: double_free @d
#include "launch.h"

__global__ void kernel(int* data) {
  data[threadIdx.x] = 1;  // @a
}

int main() {
  int* data = zeros<int>(32);
  int* other = zeros<int>(32);
  int local = 0;
  cudaFree(data);
  cudaFree(data);       // @b
  cudaFree(other + 1);  // @c
  cudaFree(&local);     // @d
  cudaFree(other);
  kernel<<<1, 32>>>(data);
}

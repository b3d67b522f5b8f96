// Two blocks of a launch, and of two launches, at the same places.
// finding: race @a @a
// finding: race @c @b
#include "launch.h"

__global__ void all_write(int* data) {
  data[threadIdx.x] = blockIdx.x;  // @a
}

__global__ void neighbours(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int next = data[(i + 32) % 128];  // @b
  data[i] = next;                         // @c
}

// The same value by all blocks, and each element by a single block.
__global__ void right(int* data, int* flag) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += 1;
  if (data[i] > 0) *flag = 1;
}

int main() {
  int* data = zeros<int>(128);
  int* flag = zeros<int>(1);
  all_write<<<4, 32>>>(data);
  neighbours<<<4, 32>>>(data);
  right<<<4, 32>>>(data, flag);
  right<<<4, 32>>>(data, flag);
  cudaFree(flag);
  finish(data);
}

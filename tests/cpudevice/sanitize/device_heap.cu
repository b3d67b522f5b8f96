// malloc and new in a kernel: past the end, after free, freed twice, and read by another
// thread without a barrier.
// finding: bad_access @a
// finding: bad_access @b
// finding: double_free @c
// finding: race @e @d
#include "launch.h"

__global__ void past_end(int* out) {
  int* memory = new int[4];
  for (int i = 0; i <= 4; ++i)
    memory[i] = i;  // @a
  out[0] = memory[3];
  delete[] memory;
}
__global__ void after_free(int* out) {
  int* memory = static_cast<int*>(malloc(16));
  memory[0] = 1;
  free(memory);
  out[0] = memory[0];  // @b
}
__global__ void twice(int* out) {
  int* memory = static_cast<int*>(malloc(16));
  memory[0] = 1;
  out[0] = memory[0];
  free(memory);
  free(memory);  // @c
}
__global__ void shared_by_a_block(int* out) {
  __shared__ int* memory;
  if (threadIdx.x == 0) memory = static_cast<int*>(malloc(64 * sizeof(int)));
  __syncthreads();
  memory[threadIdx.x] = threadIdx.x;            // @d
  out[threadIdx.x] = memory[63 - threadIdx.x];  // @e
  __syncthreads();
  if (threadIdx.x == 0) free(memory);
}

int main() {
  int* out = zeros<int>(64);
  past_end<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  shared_by_a_block<<<1, 64>>>(out);
  twice<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  after_free<<<1, 1>>>(out);
  finish(out);
}

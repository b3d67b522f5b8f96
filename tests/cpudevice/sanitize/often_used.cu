// Memory used so often that sanitize keeps a summary of its state.
// finding: race @a @b
// finding: race @c @d
// finding: race @e @f
// finding: race @g @g
// finding: uninitialised @h
// finding: bad_access @h
#include "launch.h"

constexpr int kElements = 256;

__global__ void use(const int* data, int* sums) {
  int sum = 0;
  for (int round = 0; round < 32; ++round)
    sum += data[(threadIdx.x + round) % kElements];  // @h
  sums[threadIdx.x] = sum;
}

// All threads read the first element; then the last thread writes the element.
__global__ void read_then_write(int* data, int* sums) {
  sums[threadIdx.x] = data[0];                       // @b
  if (threadIdx.x == kElements - 1) data[0] = 1000;  // @a
}
__global__ void write_and_read(int* data, int* sums) {
  data[threadIdx.x] = threadIdx.x;                                      // @d
  sums[threadIdx.x] = data[(threadIdx.x + kElements - 1) % kElements];  // @c
}
__global__ void two_blocks(int* data, int* sums) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 1;  // @f
  } else {
    sums[threadIdx.x] = data[threadIdx.x];  // @e
  }
}
__global__ void two_writers(int* data) {
  data[threadIdx.x / 2] = threadIdx.x;  // @g
}
// A barrier, or the end of a launch, orders all accesses.
__global__ void in_turn(int* data) {
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = data[kElements - 1 - threadIdx.x];
  __syncthreads();
  data[threadIdx.x] += other;
}

int main() {
  int* data = zeros<int>(kElements);
  int* sums = zeros<int>(kElements);
  int* unwritten = nullptr;
  cudaMalloc(&unwritten, kElements * sizeof(int));
  for (int launch = 0; launch < 2; ++launch)
    use<<<1, kElements>>>(data, sums);
  in_turn<<<1, kElements>>>(data);
  in_turn<<<1, kElements>>>(data);
  read_then_write<<<1, kElements>>>(data, sums);
  write_and_read<<<1, kElements>>>(data, sums);
  two_blocks<<<2, kElements>>>(data, sums);
  two_writers<<<1, kElements>>>(data);
  cudaMemcpy(data, unwritten, kElements * sizeof(int), cudaMemcpyDeviceToDevice);
  use<<<1, kElements>>>(data, sums);
  cudaMemset(data, 0, kElements * sizeof(int));
  use<<<1, kElements>>>(data, sums);
  cudaFree(unwritten);
  cudaFree(data);
  use<<<1, kElements>>>(data, sums);
  cudaFree(sums);
}

// Shared memory without a barrier, in both orders, and with a barrier.
// finding: race @a @b
// finding: race @c @d
#include "launch.h"

__global__ void read_after_write(float* data) {
  __shared__ float tile[64];
  tile[threadIdx.x] = data[threadIdx.x];       // @a
  data[threadIdx.x] = tile[63 - threadIdx.x];  // @b
}

__global__ void write_after_read(float* data) {
  __shared__ float tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  const float other = tile[63 - threadIdx.x];  // @c
  tile[threadIdx.x] = other;                   // @d
  __syncthreads();
  data[threadIdx.x] = tile[threadIdx.x];
}

__global__ void right(float* data) {
  __shared__ float tile[64];
  for (int i = 0; i < 3; ++i) {
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[63 - threadIdx.x];
    __syncthreads();
  }
}

int main() {
  float* data = zeros<float>(64);
  read_after_write<<<1, 64>>>(data);
  write_after_read<<<1, 64>>>(data);
  right<<<1, 64>>>(data);
  finish(data);
}

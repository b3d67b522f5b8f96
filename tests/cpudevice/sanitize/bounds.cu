// Past the end of every kind of memory.
// finding: bad_access @a
// finding: bad_access @b
// finding: bad_access @c
// finding: bad_access @d
// finding: bad_access @e
// finding: bad_access @f
// finding: bad_access @g
#include "launch.h"

__device__ int table[8];
__constant__ float weights[4];

__global__ void global_end(char* data, int n) {
  data[n + threadIdx.x] = 1;  // @a
}
__global__ void before_start(int* data) {
  data[0] = data[static_cast<int>(threadIdx.x) - 1];  // @b
}
__global__ void static_shared(int* data, int n) {
  __shared__ int first[8], second[8];
  first[threadIdx.x] = second[threadIdx.x] = 0;
  __syncthreads();
  first[threadIdx.x + n] = 1;  // @c
  __syncthreads();
  data[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
__global__ void dynamic_shared(int* data, int n) {
  extern __shared__ int tile[];
  tile[threadIdx.x + n] = 1;  // @d
}
__global__ void variables(int* data, int n) {
  data[0] = table[n + threadIdx.x];        // @e
  data[1] = weights[n / 2 + threadIdx.x];  // @f
}
__global__ void local_array(int* data, int n) {
  int local[4] = {1, 2, 3, 4};
  data[threadIdx.x] = local[n / 2 + threadIdx.x];  // @g
}

int main() {
  char* bytes = zeros<char>(10);
  int* data = zeros<int>(16);
  global_end<<<1, 1>>>(bytes, 10);
  before_start<<<1, 1>>>(data);
  static_shared<<<1, 8>>>(data, 1);
  variables<<<1, 1>>>(data, 8);
  local_array<<<1, 1>>>(data, 8);
  dynamic_shared<<<1, 8, 32>>>(data, 1);
  cudaFree(bytes);
  finish(data);
}

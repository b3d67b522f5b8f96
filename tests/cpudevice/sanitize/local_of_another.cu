// A local variable belongs to its thread, even if another thread gets the address.
// finding: bad_access @a
// finding: bad_access @b
#include "launch.h"

__global__ void read(int* out) {
  __shared__ const int* first;
  int own[4] = {1, 2, 3, static_cast<int>(threadIdx.x)};
  if (threadIdx.x == 0) first = own;
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x % 4];  // @a
  __syncthreads();
}
__global__ void written(int* out) {
  __shared__ int* places[32];
  int own = 0;
  places[threadIdx.x] = &own;
  __syncthreads();
  *places[31 - threadIdx.x] = threadIdx.x;  // @b
  __syncthreads();
  out[threadIdx.x] = own;
}
// The thread's own variable, by way of shared memory.
__global__ void kept(int* out) {
  __shared__ int* places[32];
  int own = threadIdx.x;
  places[threadIdx.x] = &own;
  __syncthreads();
  out[threadIdx.x] = *places[threadIdx.x];
}

int main() {
  int* out = zeros<int>(32);
  read<<<1, 32>>>(out);
  written<<<1, 32>>>(out);
  kept<<<1, 32>>>(out);
  finish(out);
}

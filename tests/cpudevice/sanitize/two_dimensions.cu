// Threads of a block of two dimensions have coordinates, and so have the blocks.
// finding: race @b @a
// finding: barrier @c
// said: thread (0,2) of block (1,0) reads what thread (15,0) writes
// said: block (0,0,0), threads (0,2)-(15,3)
// said: threads (0,2)-(15,3) returned from the kernel
#include "launch.h"

__global__ void race(const int* in, int* out) {
  __shared__ int tile[64];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0) return;
  tile[thread] = in[thread];                                    // @a
  out[thread] = tile[thread % 32 == 0 ? 47 - thread : thread];  // @b
}

__global__ void early_return(int* out) {
  if (threadIdx.y >= 2) return;
  __syncthreads();  // @c
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  int* data = zeros<int>(128);
  race<<<2, dim3(16, 4)>>>(data, data + 64);
  early_return<<<1, dim3(16, 4)>>>(data);
  finish(data);
}

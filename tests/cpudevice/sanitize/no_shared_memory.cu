// A launch without the bytes for a dynamic shared array.
// finding: bad_access @a
// said: just past the end of the block's 0 bytes of shared memory: an extern __shared__ array has
// said: kernel<<<blocks, threads, bytes>>>
#include "launch.h"

__global__ void reverse(int* data) {
  extern __shared__ int copy[];
  copy[threadIdx.x] = data[threadIdx.x];  // @a
  __syncthreads();
  data[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int* data = zeros<int>(32);
  reverse<<<1, 32>>>(data);
  finish(data);
}

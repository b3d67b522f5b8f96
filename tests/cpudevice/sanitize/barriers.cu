// Barriers that some threads of a block miss.
// finding: barrier @a
// finding: barrier @b @b
// finding: barrier @c @d
// finding: barrier @e @f
// said: threads 20-63 returned from the kernel before this __syncthreads()
// said: it must not stand in a branch that only some of them take
#include "launch.h"

__global__ void early_return(int* data, int n) {
  if (threadIdx.x >= n) return;
  data[threadIdx.x] = 1;
  __syncthreads();  // @a
}

// clang-format off
__global__ void two_barriers(int* data) {
  if (threadIdx.x < 8) __syncthreads(); else __syncthreads();  // @b
  data[threadIdx.x] = 1;
}
// clang-format on

__global__ void deadlock(int* data) {
  if (threadIdx.x < 16) {
    __syncthreads();  // @c
  } else {
    data[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 0);  // @d
  }
}

// A second finding of the same cause would be superfluous.
__global__ void in_a_branch(int* data) {
  if (threadIdx.x < 8) {
    data[threadIdx.x] = 1;
    __syncthreads();  // @f
  }
  data[threadIdx.x] += 1;
  __syncthreads();  // @e
  data[threadIdx.x] += 1;
}

int main() {
  int* data = zeros<int>(64);
  early_return<<<1, 64>>>(data, 20);
  two_barriers<<<1, 64>>>(data);
  in_a_branch<<<1, 64>>>(data);
  deadlock<<<1, 32>>>(data);
  finish(data);
}

// Warp functions whose mask is not what they need.
// finding: mask @a
// finding: mask @b @c
#include "launch.h"

__global__ void returned_lanes(int* data, int n) {
  if (threadIdx.x >= n) return;
  int sum = threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);  // @a
  }
  if (threadIdx.x == 0) *data = sum;
}

__global__ void different_functions(int* data) {
  if (threadIdx.x < 16) {
    data[threadIdx.x] = __any_sync(0xffffffff, 1);  // @c
  } else {
    data[threadIdx.x] = __ballot_sync(0xffffffff, 1);  // @b
  }
}

__global__ void right(int* data, int n) {
  const unsigned active = __ballot_sync(0xffffffff, threadIdx.x < n);
  if (threadIdx.x < n) data[threadIdx.x] = __popc(active) + __shfl_sync(active, threadIdx.x, 0);
}

int main() {
  int* data = zeros<int>(32);
  returned_lanes<<<1, 32>>>(data, 20);
  different_functions<<<1, 32>>>(data);
  right<<<1, 32>>>(data, 20);
  finish(data);
}

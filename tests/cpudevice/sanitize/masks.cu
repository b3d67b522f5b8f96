// Warp functions with wrong masks.
// finding: mask @a
// finding: mask @b @c
// finding: mask @d
// finding: mask @e @f
// said: which names threads 1-31 too: these threads took another branch and ended without this call
// said: take the call out of the branch
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

__global__ void ballot_in_branch(const int* in, int* out) {
  if (threadIdx.x == 0) out[0] = __popc(__ballot_sync(0xffffffff, in[0]));  // @d
}

__global__ void ballot_before_sync(const int* in, int* out) {
  if (threadIdx.x == 0) out[0] = __popc(__ballot_sync(0xffffffff, in[0]));  // @f
  __syncwarp();                                                             // @e
}

// Lanes that have returned take no part in a vote.
__global__ void some_return(int* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = __any_sync(0xffffffff, threadIdx.x == 3);
}

__global__ void right(int* data, int n) {
  const unsigned active = __ballot_sync(0xffffffff, threadIdx.x < n);
  if (threadIdx.x < n) data[threadIdx.x] = __popc(active) + __shfl_sync(active, threadIdx.x, 0);
}

int main() {
  int* data = zeros<int>(32);
  returned_lanes<<<1, 32>>>(data, 20);
  different_functions<<<1, 32>>>(data);
  ballot_in_branch<<<1, 32>>>(data, data);
  ballot_before_sync<<<1, 32>>>(data, data);
  some_return<<<1, 32>>>(data, 20);
  right<<<1, 32>>>(data, 20);
  finish(data);
}

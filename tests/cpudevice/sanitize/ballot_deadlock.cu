// A lane waits in a vote while the other lanes are at a barrier.
// finding: barrier @a @b
// said: take the call out of the branch, so that all lanes in the mask reach it
#include "launch.h"

__global__ void first_lane_votes(const int* in, int* out) {
  if (threadIdx.x == 0) out[0] = __ballot_sync(0xffffffff, in[0]);  // @a
  __syncthreads();                                                  // @b
  out[threadIdx.x + 1] = in[threadIdx.x];
}

int main() {
  int* data = zeros<int>(64);
  first_lane_votes<<<1, 32>>>(data, data);
  finish(data);
}

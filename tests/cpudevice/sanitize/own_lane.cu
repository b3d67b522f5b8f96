// A lane whose mask leaves out the lane.
// finding: mask @a
#include "launch.h"

__global__ void kernel(int* data) {
  data[threadIdx.x] = __shfl_sync(0xff, threadIdx.x, 0);  // @a
}

int main() {
  int* data = zeros<int>(32);
  kernel<<<1, 32>>>(data);
  finish(data);
}

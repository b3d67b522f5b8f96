// A recursion without end.
// finding: stack
#include "launch.h"

__device__ __noinline__ int depth(int n, int* data) {
  volatile int local[16];
  local[n % 16] = n;
  if (n < 0) return 0;
  return depth(n + 1, data) + local[(n + data[0]) % 16];
}

__global__ void kernel(int* data) {
  data[0] = depth(0, data);
}

int main() {
  int* data = zeros<int>(1);
  kernel<<<1, 1>>>(data);
  finish(data);
}

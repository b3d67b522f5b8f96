// 64 sums of each warp.
// measured: more=288 plain=64
// modelled: 0.8..1.4
#include "saxpy.h"

__global__ void more(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 2 * x[i] + y[i];
  unsigned sum = threadIdx.x;
  for (int k = 0; k < 64; ++k)
    sum = __reduce_add_sync(~0u, sum) + 1;
  value += sum;
  result[i] = value;
}

int main() {
  run(1 << 14);
}

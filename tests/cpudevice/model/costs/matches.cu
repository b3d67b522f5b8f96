// 64 searches of each warp for equal values, all of which differ.
// measured: more=8259 plain=64
// modelled: 0.8..1.3
#include "saxpy.h"

__global__ void more(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 2 * x[i] + y[i];
  unsigned number = threadIdx.x;
  for (int k = 0; k < 64; ++k)
    number += __match_any_sync(~0u, number + threadIdx.x) >> 31 & (i < 0);
  value += number;
  result[i] = value;
}

int main() {
  run(1 << 14);
}

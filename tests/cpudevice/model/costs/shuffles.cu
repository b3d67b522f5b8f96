// 256 shuffles of each warp.
// measured: more=534 plain=66
// modelled: 0.8..1.4
#include "saxpy.h"

__global__ void more(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 2 * x[i] + y[i];
  for (int k = 0; k < 256; ++k)
    value = __shfl_xor_sync(~0u, value, 1);
  result[i] = value;
}

int main() {
  run(1 << 14);
}

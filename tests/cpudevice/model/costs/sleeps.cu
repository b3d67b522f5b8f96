// 16 sleeps of a microsecond.
// measured: more=1037 plain=64
// modelled: 0.7..1.7
#include "saxpy.h"

__global__ void more(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 2 * x[i] + y[i];
  for (int k = 0; k < 16; ++k)
    __nanosleep(1000);
  result[i] = value;
}

int main() {
  run(1 << 14);
}

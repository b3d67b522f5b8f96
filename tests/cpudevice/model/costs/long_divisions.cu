// 64 divisions of integers of 64 bits.
// measured: more=3911 plain=64
// modelled: 0.8..1.3
#include "saxpy.h"

__global__ void more(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 2 * x[i] + y[i];
  unsigned long long rest = ~0ull - threadIdx.x;
  for (int k = 0; k < 64; ++k)
    rest = (rest | 1ull << 63) / ((1ull << 40) + blockDim.x + k) + threadIdx.x;
  value += rest;
  result[i] = value;
}

int main() {
  run(1 << 14);
}

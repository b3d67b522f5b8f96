// 256 loads from global memory, each lane from another address in 64 KiB.
// measured: more=4523 plain=66
// modelled: 0.7..1.6
#include "saxpy.h"

__device__ float table[1 << 14];

__global__ void more(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned place = i;
  float value = 2 * x[i] + y[i];
  for (int k = 0; k < 256; ++k) {
    place = place * 1664525u + 1013904223u;
    value += table[place >> 18];
  }
  result[i] = value;
}

int main() {
  run(1 << 14);
}

// An atomicExch in place of the store, to places scattered over the array.
// measured: more=985 plain=66
// modelled: 0.7..1.3
#include "saxpy.h"

__global__ void more(float* result, const float* x, const float* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned n = gridDim.x * blockDim.x;
  atomicExch(result + i * 40503u % n, 2 * x[i] + y[i]);
}

int main() {
  run(1 << 20);
}

// A loop of the host that launches kernels without end: the line is that of the launch.
// environment: CUDACPU_CALL_TIMEOUT=0.3
// exit: 124
// stderr: host code, tests/cpudevice/fault/watched_launches.cu:@a: stopped after 0.3 seconds
#include "cudacpu_watch.h"

__global__ void halve(float* x) {
  x[threadIdx.x] *= 0.5f;
}

int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof *x);
  cudaMemset(x, 0, 32 * sizeof *x);
  cudacpu_watch_begin();
  for (int step = 1; step < 64; step *= 1)
    halve<<<1, 32>>>(x);  // @a
  cudacpu_watch_end();
}

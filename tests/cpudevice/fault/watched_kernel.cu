// A kernel in a call that is watched has a limit of its own, and its line is named as the kernel's
// though the call is late before it.
// environment: CUDACPU_TIMEOUT=0.6
// environment: CUDACPU_CALL_TIMEOUT=0.2
// expect: watched cudaErrorLaunchTimeout
// stderr: kernel never_ends, block (0,0,0), thread (0,0,0), tests/cpudevice/fault/watched_kernel.cu:1
// stderr: stopped after 0.6 seconds
#include <cstdio>

#include "cudacpu_watch.h"

__global__ void never_ends(int* x) {
  while (gridDim.x != 0)
    ++*x;
}

int main() {
  int* x;
  cudaMallocManaged(&x, sizeof *x);
  cudacpu_watch_begin();
  never_ends<<<1, 1>>>(x);
  cudacpu_watch_end();
  printf("watched %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

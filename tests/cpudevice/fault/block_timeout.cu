// Without a limit for the whole launch, one in which blocks still begin goes on; one in which none
// has begun for a while is stopped, also where its thread is hardly ever found outside of the
// run-time library because it gives up a processor for which there are too many workers.
// environment: CUDACPU_BLOCK_TIMEOUT=0.4
// environment: CUDACPU_WORKERS=16
// expect: long cudaSuccess
// expect: endless cudaErrorLaunchTimeout
// stderr: kernel waits, block (0,0,0), thread (0,0,0), tests/cpudevice/fault/block_timeout.cu:@a: stopped after 0.4 seconds in which no block began
#include <cstdio>

__global__ void works(unsigned steps, unsigned* out) {
  unsigned x = blockIdx.x;
  for (unsigned i = 0; i < steps; ++i)
    x = x * 1664525u + 1013904223u;
  *out = x;
}

__global__ void waits(volatile unsigned* flag) {
  while (*flag == 0) {  // @a
  }
}

int main() {
  unsigned* flag;
  cudaMallocManaged(&flag, sizeof *flag);
  works<<<1000, 1>>>(2000000, flag);  // more than a second of processors in all
  printf("long %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  *flag = 0;
  waits<<<1, 1>>>(flag);
  printf("endless %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

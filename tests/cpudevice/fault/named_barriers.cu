// Numbered barriers to which too few threads come, or with a wrong number.
// expect: too few cudaErrorLaunchTimeout
// expect: unequal cudaErrorLaunchFailure
// expect: number cudaErrorLaunchFailure
// expect: threads cudaErrorLaunchFailure
// stderr: kernel too_few, block (0,0,0): nothing can run any more: threads 0-31 wait in bar.sync at tests/cpudevice/fault/named_barriers.cu:@a; threads 32-63 wait in __syncthreads() at tests/cpudevice/fault/named_barriers.cu:@b
// stderr: tests/cpudevice/fault/named_barriers.cu:@c: comes to a barrier for another number of threads than those before it
// stderr: tests/cpudevice/fault/named_barriers.cu:@d: uses a barrier whose number is not one of 0 to 15
// stderr: tests/cpudevice/fault/named_barriers.cu:@e: waits at a barrier for a number of threads that is not a multiple of 32
#include <cstdio>

__global__ void too_few() {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;");  // @a
  __syncthreads();                                        // @b
}
__global__ void unequal() {
  const unsigned threads = threadIdx.x < 32 ? 64 : 32;
  asm volatile("bar.sync 1, %0;" ::"r"(threads));  // @c
}
__global__ void number(int n) {
  asm volatile("bar.sync %0;" ::"r"(n));  // @d
}
__global__ void threads(int n) {
  asm volatile("bar.sync 2, %0;" ::"r"(n));  // @e
}

void report(const char* name) {
  printf("%s %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
}
int main() {
  too_few<<<1, 64>>>();
  report("too few");
  unequal<<<1, 64>>>();
  report("unequal");
  number<<<1, 64>>>(16);
  report("number");
  threads<<<1, 64>>>(48);
  report("threads");
}

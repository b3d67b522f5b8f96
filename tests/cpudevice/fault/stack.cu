// Recursion: as deep as the limit allows, and deeper.
// expect: shallow 55
// expect: too deep cudaErrorIllegalAddress
// expect: deep 500500
// stderr: kernel sum, block (0,0,0), thread (0,0,0)
// stderr: overflowed its stack: the recursion is too deep
#include <cstdio>

// The array of the caller keeps the compiler from making a loop of it.
__device__ __noinline__ int add_up(int n, const volatile int* callers) {
  volatile int pad[256];
  pad[n % 256] = n;
  return n == 0 ? callers[1] - 1 : pad[n % 256] + add_up(n - 1, pad);
}
__global__ void sum(int* out, int n) {
  *out = add_up(n, &n);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4);
  sum<<<1, 1>>>(out, 10);
  cudaDeviceSynchronize();
  printf("shallow %d\n", *out);
  sum<<<1, 1>>>(out, 1000);
  printf("too deep %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
  cudaDeviceSetLimit(cudaLimitStackSize, 512 * 1024);
  cudaMallocManaged(&out, 4);
  sum<<<1, 1>>>(out, 1000);
  cudaDeviceSynchronize();
  printf("deep %d\n", *out);
}

// assert() in a kernel: CUDA's message, a sticky error, and the process goes on.
// expect: error cudaErrorAssert
// stderr: tests/cpudevice/fault/device_assert.cu:@a: void checks(int): block: [1,0,0], thread: [3,0,0] Assertion `int(threadIdx.x) != n || blockIdx.x == 0` failed.
#include <cassert>
#include <cstdio>

__global__ void checks(int n) {
  __shared__ int s;
  s = n;
  assert(int(threadIdx.x) != n || blockIdx.x == 0);  // @a
  __syncthreads();
}

int main() {
  assert(sizeof(int) == 4);
  checks<<<2, 32>>>(3);
  printf("error %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

// What CUDA refuses is refused with CUDA's error and a reason; none of the errors is sticky.
// expect: threads cudaErrorInvalidConfiguration
// expect: product cudaErrorInvalidConfiguration
// expect: z cudaErrorInvalidConfiguration
// expect: empty grid cudaErrorInvalidConfiguration
// expect: empty block cudaErrorInvalidConfiguration
// expect: grid y cudaErrorInvalidConfiguration
// expect: shared cudaErrorInvalidValue
// expect: attribute cudaSuccess
// expect: shared with attribute cudaSuccess
// expect: too much shared cudaErrorInvalidValue
// expect: launch bounds cudaErrorInvalidValue
// expect: fine cudaSuccess
// stderr: a block of 1025 x 1 x 1 has 1025 threads; a GPU takes at most 1024, and 1024 x 1024 x 64
// stderr: a block of 64 x 32 x 1 has 2048 threads
// stderr: a block of 1 x 1 x 65 has 65 threads
// stderr: validation.cu:25) is not launched: a grid of 0 x 1 x 1 has no blocks
// stderr: a block of 0 x 1 x 1 has no threads
// stderr: a grid of 1 x 65536 x 1 blocks is too large; a GPU takes at most 21474
// stderr: it asks for 49153 bytes of dynamic shared memory and may have 49152
// stderr: dynamic shared memory and may have 102400; cudaFuncSetAttribute
// stderr: a block has 65 threads, but its __launch_bounds__ allow at most 64
#include <cstdio>

__global__ void nothing() {}
__global__ void dynamic() {
  extern __shared__ char bytes[];
  bytes[100 * 1024 - 1] = 1;
}
__global__ void __launch_bounds__(64) bounded() {}

void report(const char* what) {
  printf("%s %s\n", what, cudaGetErrorName(cudaGetLastError()));
}

int main() {
  nothing<<<1, 1025>>>();
  report("threads");
  nothing<<<1, dim3(64, 32)>>>();
  report("product");
  nothing<<<1, dim3(1, 1, 65)>>>();
  report("z");
  nothing<<<0, 32>>>();
  report("empty grid");
  nothing<<<1, 0>>>();
  report("empty block");
  nothing<<<dim3(1, 65536), 1>>>();
  report("grid y");
  nothing<<<1, 1, 48 * 1024 + 1>>>();
  report("shared");
  cudaFuncSetAttribute((void*)dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
  report("attribute");
  dynamic<<<1, 1, 100 * 1024>>>();
  report("shared with attribute");
  dynamic<<<1, 1, 100 * 1024 + 1>>>();
  report("too much shared");
  bounded<<<1, 65>>>();
  report("launch bounds");
  nothing<<<65535, 1>>>();
  report("fine");
  return cudaDeviceSynchronize();
}

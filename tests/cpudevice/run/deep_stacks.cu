// Time slices interrupt a thread at every depth of its stack: the signal's frame needs room where
// the stack has not grown to yet. A GPU would need a larger cudaLimitStackSize.
// environment: CUDACPU_TICK=0.0005
// expect: 90 no error
#include <cstdio>

__device__ __noinline__ int sum(int depth, int rounds) {
  volatile char frame[5000];
  for (int i = 0; i < rounds; ++i)
    frame[depth] = 1;
  const int below = depth == 1 ? 0 : sum(depth - 1, rounds);
  return below + frame[depth];
}
__global__ void descend(int* out) {
  *out = sum(90, 3000000);
}

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof *out);
  descend<<<1, 1>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%d %s\n", *out, cudaGetErrorString(error));
  cudaFree(out);
}

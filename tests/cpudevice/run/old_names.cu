// Names of older programs, missing in CUDA 13
// flags: -Wno-deprecated-declarations
// expect: 7
#include <cstdio>

__global__ void store(int* out) {
  *out = 7;
}

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  store<<<1, 1>>>(out);
  if (cudaThreadSynchronize() != cudaSuccess) return 1;
  printf("%d\n", *out);
  return cudaThreadExit();
}

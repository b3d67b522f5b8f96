// `register` has the meaning of C++14, as with nvcc; kernels may print unnamed enumerators.
// expect: 3 5
#include <cstdio>

enum { kUnnamed = 3 };

__global__ void print_kernel() {
  register int a = 5;
  printf("%d %d\n", kUnnamed, a);
}

int main() {
  register int one = 1;
  print_kernel<<<one, one>>>();
  cudaDeviceSynchronize();
}

// Code that nvcc accepts and an older Clang does not: the check only looks at calls across sides.
// flags: -std=c++20
// expect: 3 7 4
// expect: 1 2
#include <concepts>
#include <ranges>
#include <span>
#include <vector>

#include <cstdio>

enum { kUnnamed = 3 };

template <std::integral T>
__global__ void fill_kernel(T* p) {
  p[threadIdx.x] = threadIdx.x + 4;
}

int main(int count, char**) {
  double array[count + 3];
  array[count] = 4;
  int* p;
  cudaMallocManaged(&p, 4 * sizeof(int));
  fill_kernel<<<{1, 1}, {4, 1}>>>(p);
  cudaDeviceSynchronize();
  printf("%d %d %g\n", kUnnamed, p[3], array[count]);
  const std::vector<int> values{1, 2, 3};
  const auto first = std::span(values) | std::views::take(2);
  for (int x : first)
    printf(x < 2 ? "%d " : "%d\n", x);
  cudaFree(p);
}

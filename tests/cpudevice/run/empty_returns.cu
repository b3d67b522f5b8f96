// `return;` in functions with a return value, where nvcc accepts the statement: anywhere in main,
// which then returns 0, at the end of other functions, and anywhere in functions of the device
// expect: 3 4
// expect: 7
#include <cstdio>

struct Counter {
  int value;
  Counter() : value(3) { return; }
  int add_one() {
    ++value;
    return;
  }
};

__device__ int store(int* place) {
  if (threadIdx.x > 0) return;
  *place = 7;
  return;
}

__global__ void store_kernel(int* place) {
  store(place);
  return;
}

int main(int argc, char**) {
  Counter counter;
  const int before = counter.value;
  auto add_two = [&counter](int times) {
    if (times == 0) return;
    counter.value += times;
  };
  auto nothing = [] { return; };
  add_two(0);
  nothing();
  counter.add_one();
  printf("%d %d\n", before, counter.value);
  int* place = nullptr;
  cudaMallocManaged(&place, sizeof(int));
  store_kernel<<<1, 2>>>(place);
  cudaDeviceSynchronize();
  printf("%d\n", *place);
  cudaFree(place);
  if (argc > 100) {
    return 2;
  }
  for (int i = 0; i < 2; ++i) {
    if (i == 1) {
      return;
    }
  }
  return 5;
}

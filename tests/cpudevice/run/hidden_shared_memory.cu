// Parameters and local variables with the name of a __shared__ variable of namespace scope
// expect: done
#include <cstdio>

#include "check.h"

extern __shared__ int values[];
__shared__ int total;

__device__ void add_one(volatile int* values, int at) {
  values[at] = values[at] + 1;
}

__device__ int doubled(int total) {
  return 2 * total;
}

__device__ int of_type(const int* from) {
  const int *values = from, unused = 0;
  int total = values[0] + unused;
  {
    float values = 2.5f;
    total += static_cast<int>(2 * values);
  }
  return total + values[1];
}

__global__ void parameter_kernel(int* total) {
  __shared__ long long values[4];
  values[threadIdx.x] = sizeof values[0];
  __syncthreads();
  if (threadIdx.x == 0) *total = static_cast<int>(values[3]);
}

__global__ void dynamic_kernel(int* out) {
  extern __shared__ double values[];
  values[threadIdx.x] = .5 * threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = static_cast<int>(values[3] * 100);
}

__global__ void namespace_kernel(int* out) {
  if (threadIdx.x == 0) total = 10;
  *(values + threadIdx.x) = static_cast<int>(threadIdx.x);
  __syncthreads();
  add_one(values, static_cast<int>(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = values[0] + values[3];
    out[1] = doubled(total) + total;
    out[2] = of_type(values);
    int* const other = values;
    out[3] = *other;
    *values = 8;
    out[4] = values[0];
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 8 * sizeof(int));
  parameter_kernel<<<1, 4>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*out == 8);
  dynamic_kernel<<<1, 4, 4 * sizeof(double)>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*out == 150);
  namespace_kernel<<<1, 4, 4 * sizeof(int)>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 5 && out[1] == 30 && out[2] == 1 + 5 + 2 && out[3] == 1 && out[4] == 8);
  cudaFree(out);
  puts("done");
}

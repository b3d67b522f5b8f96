// The largest arguments of a kernel, 32764 bytes, also in kernels whose threads wait.
// expect: done
// flags: -std=c++14
#include "check.h"

struct Table {
  int values[8190];
};

__global__ void look_up_kernel(Table table, int* out) {
  __shared__ int last;
  const unsigned i = threadIdx.x;
  table.values[i] += blockIdx.x;  // each thread has its own copy
  if (i == blockDim.x - 1) last = table.values[8189];
  __syncthreads();
  out[blockIdx.x * blockDim.x + i] = table.values[i] + last;
}

int main() {
  static Table table;
  for (int i = 0; i < 8190; ++i)
    table.values[i] = 3 * i;
  int* out;
  CHECK_OK(cudaMallocManaged(&out, 512 * sizeof(int)));
  look_up_kernel<<<2, 256>>>(table, out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 512; ++i)
    CHECK(out[i] == 3 * (i % 256) + i / 256 + 3 * 8189);
  printf("done\n");
}

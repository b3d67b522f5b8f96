// Threads with the same index leave the same value, but write other values on the way: a race.
// Threads that write only the same value do not race.
// finding: race @a @b
// finding: race @c @d
#include "launch.h"

// Threads with the same threadIdx.x and different threadIdx.y have the same index.
__global__ void sums(const int* in, int* out) {
  const int i = threadIdx.x;
  out[i] = 0;  // @a
  for (int k = 0; k < 4; ++k)
    out[i] += in[k];  // @b
}

__global__ void flag_goes_up(int* flag, const int* in) {
  *flag = 0;             // @c
  if (in[0]) *flag = 1;  // @d
}

__global__ void flag_is_up(int* flag, const int* in) {
  *flag = 1;
  if (in[0]) *flag = 1;
}

int main() {
  int* in = zeros<int>(4);
  int* out = zeros<int>(64);
  cudaMemset(in, 1, 4 * sizeof(int));
  sums<<<1, dim3(32, 2)>>>(in, out);
  flag_goes_up<<<1, 64>>>(out + 32, in);
  flag_is_up<<<1, 64>>>(out + 33, in);
  cudaFree(in);
  finish(out);
}

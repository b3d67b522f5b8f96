// Structures that functions return directly into memory, or take by value directly from memory.
// finding: bad_access @a
// finding: bad_access @b
// finding: race @c
#include "launch.h"

struct Four {
  float v[4];
};

__device__ __noinline__ Four make(float a) {
  return {{a, a + 1, a + 2, a + 3}};
}
__device__ __noinline__ float first(Four of) {
  return of.v[0];
}

__global__ void results_past_end(Four* out) {
  out[threadIdx.x] = make(threadIdx.x);  // @a
}
__global__ void arguments_past_end(const Four* in, float* out) {
  out[threadIdx.x] = first(in[threadIdx.x]);  // @b
}
__global__ void results_race(float* out) {
  __shared__ Four last;
  last = make(threadIdx.x);  // @c
  out[threadIdx.x] = 0;
}

int main() {
  Four* fours = zeros<Four>(31);
  float* floats = zeros<float>(32);
  results_past_end<<<1, 32>>>(fours);
  arguments_past_end<<<1, 32>>>(fours, floats);
  results_race<<<1, 32>>>(floats);
  cudaFree(floats);
  finish(fours);
}

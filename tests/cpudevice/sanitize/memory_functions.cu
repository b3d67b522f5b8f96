// memcpy and similar functions with constant lengths, which a compiler expands in place.
// finding: bad_access @a
// finding: uninitialised @b
// finding: race @c @d
// finding: bad_access @e
// finding: uninitialised @f
// finding: bad_access @g
#include <cstring>

#include "launch.h"

struct alignas(16) Padded {
  double value;
};

__global__ void past_the_end(const char* in, char* out) {
  memcpy(out + 12 * threadIdx.x, in + 12 * threadIdx.x, 12);  // @a
}
__global__ void never_written(const char* in, char* out) {
  __builtin_memcpy(out, in, 24);  // @b
}
__global__ void not_ordered(char* out) {
  __shared__ char tile[32 * 24];
  memset(tile + 24 * threadIdx.x, 0, 24);  // @c
  const int next = (threadIdx.x + 1) % 32;
  memcpy(out + 24 * threadIdx.x, tile + 24 * next, 24);  // @d
}
__global__ void text(char* out) {
  strcpy(out + 8 * threadIdx.x, "seven..");  // @e
}
__global__ void compared(const char* in, int* out) {
  out[0] = memcmp(in, "0123456789abcdef", 16);  // @f
}
__global__ void second_result(float* out) {
  float whole;
  out[0] = modff(1.5f, &whole) + modff(2.5f, out + threadIdx.x);  // @g
}
// Whole words of the structure are padding.
__global__ void padding(Padded* in) {
  in[0].value = 1;
  memcpy(in + 1, in, sizeof(Padded));
}

int main() {
  char* out = zeros<char>(32 * 24);
  char* in = zeros<char>(12 * 31);
  char *fresh, *fresh_too;
  cudaMalloc(&fresh, 24);
  cudaMalloc(&fresh_too, 24);
  past_the_end<<<1, 32>>>(in, out);
  never_written<<<1, 1>>>(fresh, out);
  not_ordered<<<1, 32>>>(out);
  text<<<1, 32>>>(in + 12 * 31 - 8 * 31);
  compared<<<1, 1>>>(fresh_too, reinterpret_cast<int*>(out));
  second_result<<<1, 1 + 32 * 24 / sizeof(float)>>>(reinterpret_cast<float*>(out));
  padding<<<1, 1>>>(reinterpret_cast<Padded*>(out));
  cudaFree(in);
  cudaFree(fresh);
  cudaFree(fresh_too);
  finish(out);
}

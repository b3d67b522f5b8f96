// Vectors and wide types in each kind of memory, at misaligned addresses.
// finding: misaligned @a
// finding: misaligned @b
// finding: misaligned @c
// finding: misaligned @d
#include "launch.h"

__global__ void int2_of_ints(const int* in, int* out) {
  const int2 pair = *reinterpret_cast<const int2*>(in + 1);  // @a
  out[0] = pair.x + pair.y;
}
__global__ void double_of_floats(float* data) {
  *reinterpret_cast<double*>(data + 1) = 1.0;  // @b
}
__global__ void shared_int_of_chars(int* out) {
  alignas(8) __shared__ char bytes[64];
  bytes[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = *reinterpret_cast<int*>(bytes + out[1] + 2);  // @c
}
__global__ void float4_copy(const float* in, float4* out) {
  out[0] = *reinterpret_cast<const float4*>(in + 2);  // @d
}
__global__ void right(const float* in, float4* out) {
  out[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x];
}

int main() {
  float* data = zeros<float>(64);
  int* out = zeros<int>(64);
  int2_of_ints<<<1, 1>>>(out + 8, out);
  double_of_floats<<<1, 1>>>(data);
  shared_int_of_chars<<<1, 64>>>(out);
  right<<<1, 4>>>(data, reinterpret_cast<float4*>(data) + 4);
  // The processor may refuse the last copy, like a GPU.
  float4_copy<<<1, 1>>>(data, reinterpret_cast<float4*>(data) + 4);
  cudaFree(out);
  finish(data);
}

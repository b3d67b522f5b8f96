// Reads of what nothing has written, in each kind of memory.
// finding: uninitialised @a
// finding: uninitialised @b
// finding: uninitialised @c
#include "launch.h"

struct Padded {
  char tag;
  double value;
};

__global__ void global_memory(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @a
}
__global__ void shared_memory(int* out) {
  __shared__ int tile[32];
  if (threadIdx.x < 16) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  // @b
}
__global__ void heap(int* out) {
  int* memory = static_cast<int*>(malloc(32));
  memory[0] = 1;
  out[0] = memory[0] + memory[1];  // @c
  free(memory);
}
// Structures are copied with their padding, which is never written.
__global__ void padding(Padded* in, Padded* out) {
  in[threadIdx.x].tag = 1;
  in[threadIdx.x].value = 2;
  out[threadIdx.x] = in[threadIdx.x];
}

int main() {
  int* out = zeros<int>(32);
  int *in, *half;
  Padded* pairs;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&half, 32 * sizeof(int));
  cudaMalloc(&pairs, 64 * sizeof(Padded));
  cudaMemcpy(half, in, 16 * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemset(half + 16, 0, 16 * sizeof(int));
  global_memory<<<1, 32>>>(in, out);
  shared_memory<<<1, 32>>>(out);
  heap<<<1, 1>>>(out);
  padding<<<1, 32>>>(pairs, pairs + 32);
  // A copy of unwritten memory is still unwritten.
  global_memory<<<1, 16>>>(half, out);
  cudaFree(in);
  cudaFree(half);
  cudaFree(pairs);
  finish(out);
}

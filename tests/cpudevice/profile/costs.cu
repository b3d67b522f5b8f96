// What a line costs beside its accesses: special functions, texts and calls of the heap.
#include <cstdio>

// Two warps; each takes a root on the one line and divides on another, of the same basic block.
// kernel special: warps=2
__global__ void special(const float* in, float* out) {
  const int i = threadIdx.x;
  const float value = in[i];
  const float square = value * value;
  const float root = sqrtf(square + 1);  // special: count=2
  const float doubled = 2 * root + value;
  out[i] = doubled / root;  // special: count=2
}

__device__ float rounded(float value) {
  return static_cast<int>(value);  // special: count=4
}

// What an inlined function does is its own lines'.
// kernel inlined: warps=2
__global__ void inlined(const float* in, float* out) {
  out[threadIdx.x] = rounded(in[threadIdx.x]) + rounded(in[threadIdx.x + 1]);
}

// kernel prints: prints=65
__global__ void prints(int n) {
  if (threadIdx.x < n) printf("%d\n", threadIdx.x);  // print: count=33
  if (threadIdx.x % 2) puts("odd");                  // print: count=32
}

// kernel allocates: heap_calls=128
__global__ void allocates(char** out) {
  out[threadIdx.x] = static_cast<char*>(malloc(16));  // heap: count=64
  __syncthreads();
  free(out[63 - threadIdx.x]);  // heap: count=64
}

int main() {
  float* data;
  cudaMalloc(&data, 1024);
  cudaMemset(data, 0, 1024);
  special<<<1, 64>>>(data, data + 64);
  inlined<<<1, 64>>>(data, data + 128);
  prints<<<1, 64>>>(33);
  allocates<<<1, 64>>>(reinterpret_cast<char**>(data));
  return cudaDeviceSynchronize() != cudaSuccess;
}

// Structures that functions, not inlined, return straight to memory or take by value from it: the
// compiler instruments neither (compiler/counts/uninstrumented.py).
#include <cuda_runtime.h>

#include <new>

constexpr int kThreads = 32;

struct Four {
  float values[4];
};

__device__ __noinline__ Four make(float a) {
  return {{a, a + 1, a + 2, a + 3}};
}
__device__ __noinline__ float first(Four of) {
  return of.values[0];
}

struct Maker {
  __device__ virtual Four made(float a) const { return {{a, a, a, a}}; }
};
struct OtherMaker : Maker {
  __device__ Four made(float a) const override { return {{a, 0, 0, 0}}; }
};

// kernel results: warps=1
__global__ void results(Four* out) {
  out[threadIdx.x] = make(threadIdx.x);  // global_store: requests=1 bytes=512
}

// kernel arguments: warps=1
__global__ void arguments(const Four* in, float* out) {
  out[threadIdx.x] = first(in[threadIdx.x]);  // global_load: requests=1 bytes=512
}

// kernel shared: warps=1
__global__ void shared(float* out) {
  __shared__ Four tile[kThreads];
  tile[threadIdx.x] = make(threadIdx.x);  // shared_store: requests=1 bytes=512
  __syncthreads();
  out[threadIdx.x] = first(tile[kThreads - 1 - threadIdx.x]);  // shared_load: requests=1 bytes=512
}

// kernel by_pointer: warps=1
__global__ void by_pointer(Four* out, int n) {
  Four (*function)(float) = n > 3 ? make : nullptr;
  out[threadIdx.x] = function(threadIdx.x);  // global_store: requests=1 bytes=512
}

// kernel by_virtual: warps=1
__global__ void by_virtual(Four* out, int n) {
  Maker plain;
  OtherMaker other;
  const Maker& maker = n > 3 ? plain : other;
  out[threadIdx.x] = maker.made(threadIdx.x);  // global_store: requests=1 bytes=512
}

// kernel kept_first: warps=1
__global__ void kept_first(Four* out) {
  const Four four = make(threadIdx.x);
  new (out + threadIdx.x) Four(four);  // global_store: requests=1 bytes=512
}

int main() {
  Four* fours;
  float* floats;
  cudaMalloc(&fours, kThreads * sizeof(Four));
  cudaMalloc(&floats, kThreads * sizeof(float));
  results<<<1, kThreads>>>(fours);
  arguments<<<1, kThreads>>>(fours, floats);
  shared<<<1, kThreads>>>(floats);
  by_pointer<<<1, kThreads>>>(fours, kThreads);
  by_virtual<<<1, kThreads>>>(fours, kThreads);
  kept_first<<<1, kThreads>>>(fours);
  cudaFree(fours);
  cudaFree(floats);
  return cudaGetLastError() != cudaSuccess;
}

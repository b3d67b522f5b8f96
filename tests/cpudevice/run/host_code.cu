// `#ifdef __CUDA_ARCH__`: what a function does on the host, and what on the device
// expect: side host device
// expect: bits 3 3
// expect: thread 0 of 32
// expect: only the host
// expect: declared 5
// expect: member -1 7
// expect: same line 1
// expect: dynamic 6
#include <cstdio>

__host__ __device__ const char* side() {
#ifdef __CUDA_ARCH__
  return "device";
#else
  return "host";
#endif
}

template <typename T>
__host__ __device__ inline int bits(T x) {
#if !defined(__CUDA_ARCH__)
  int count = 0;
  for (; x; x &= x - 1)
    ++count;
  return count;
#else
  return __popc(x);
#endif
}

#ifndef __CUDA_ARCH__
// A function of the host's alone.
static void only_host() {
  printf("only the host\n");
}
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
#define HAS_ATOMICS 1
#else
#define HAS_ATOMICS 0
#endif
#if __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* place, double value) {
  *place += value;
  return *place;
}
#endif

struct Pair {
  int x;
  __host__ __device__ int get() const {
#ifdef __CUDA_ARCH__
    if (threadIdx.x == 0) {
      return x;
    }
    return 0;
#endif
    return -1;
  }
};

// A part with a declaration stays the device's.
__device__ int declared() {
#ifdef __CUDA_ARCH__
  const int five = 5;
#else
  const int five = 4;
#endif
  return five;
}

__global__ void kernel(int* out) {
#if __CUDA_ARCH__ >= 700
  const int lanes = __popc(__activemask());
#else
  const int lanes = 0;
#endif
  if (threadIdx.x == 0) {
    out[0] = bits(7u);
    out[1] = lanes;
    out[2] = declared();
    out[3] = Pair{7}.get();
    out[4] = side()[0];
    out[5] = HAS_ATOMICS;
  }
}

// A declaration comes first in the part, another declaration first behind the part.
__global__ void dynamic_kernel(int* out) {
#if __CUDA_ARCH__ >= 800
  extern __shared__ int rows[][4];
  rows[0][threadIdx.x % 4] = 3;
  __syncthreads();
  if (threadIdx.x == 0) *out = rows[0][0];
#endif
  extern __shared__ int values[];
  if (threadIdx.x == 0) *out += values[1];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 6 * sizeof(int));
  kernel<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("side %s %s\n", side(), out[4] == 'd' ? "device" : "host");
  printf("bits %d %d\n", bits(7u), out[0]);
#ifdef __CUDA_ARCH__
  printf("main is no device code\n");
#else
  printf("thread 0 of %d\n", out[1]);
#endif
  only_host();
  printf("declared %d\n", out[2]);
  printf("member %d %d\n", Pair{7}.get(), out[3]);
  printf("same line %d\n", out[5]);
  dynamic_kernel<<<1, 4, 64>>>(out);
  cudaDeviceSynchronize();
  printf("dynamic %d\n", out[0]);
}

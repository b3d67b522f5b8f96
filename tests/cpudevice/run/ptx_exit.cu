// `exit` in PTX ends a thread anywhere: in a kernel, behind a predicate, in a function called by
// another function; the other threads go on, and barriers do not wait for the ended thread
// expect: done
#include "check.h"

__device__ __forceinline__ void exit_thread() {
  asm volatile("exit;");
}
__device__ int below(int x, int limit) {
  if (x >= limit) exit_thread();
  return 2 * x;
}
__device__ int twice_below(int x, int limit) {
  const int result = below(x, limit);
  return result;
}

// Without a barrier.
__global__ void simple_kernel(int* out, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1;
  out[i] = twice_below(i, limit);
}

// Of each warp half the threads are left at the barrier, and the second warp has none.
__global__ void barrier_kernel(int* out) {
  __shared__ int value[128];
  value[threadIdx.x] = -1;
  __syncthreads();
  asm volatile("{ .reg .pred odd; setp.ne.u32 odd, %0, 0; @odd exit; }" ::"r"(threadIdx.x & 1));
  if (threadIdx.x / 32 == 1) asm("exit;");
  value[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = value[(threadIdx.x + 2) % 128];
}

int main() {
  int* out;
  constexpr int kCount = 1000;
  CHECK_OK(cudaMallocManaged(&out, 1024 * sizeof(int)));
  for (int i = 0; i < 1024; ++i)
    out[i] = 0;
  simple_kernel<<<4, 256>>>(out, kCount);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 1024; ++i)
    CHECK(out[i] == (i < kCount ? 2 * i : 1));
  for (int i = 0; i < 128; ++i)
    out[i] = -5;
  barrier_kernel<<<1, 128>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) {
    const int from = (i + 2) % 128;
    const int expected = from / 32 == 1 ? -1 : from;
    CHECK(out[i] == (i % 2 || i / 32 == 1 ? -5 : expected));
  }
  CHECK_OK(cudaFree(out));
  printf("done\n");
}

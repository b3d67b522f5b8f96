// Threads are interrupted at any instruction, hundreds of times, and nothing is lost.
// environment: CUDACPU_TICK=0.0001
// expect: sums 1
// expect: shuffles 1
// expect: plain 1
#include <cstdio>

__global__ void sums(int* out, int rounds) {
  __shared__ int turn[256];
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    turn[threadIdx.x] = threadIdx.x + i;
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += turn[(threadIdx.x + k) % 256] & 1;
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void shuffles(int* out, int rounds) {
  int v = 0;
  for (int i = 0; i < rounds; ++i)
    v += __shfl_xor_sync(~0u, v & 1, 1) + 1;
  out[blockIdx.x * 256 + threadIdx.x] = v;
}
__device__ __noinline__ int collatz(int n) {
  int steps = 0;
  for (long x = n; x != 1; ++steps)
    x = x % 2 ? 3 * x + 1 : x / 2;
  return steps;
}
__global__ void plain(int* out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int sum = 0;
  for (int k = 1; k < 200; ++k)
    sum += collatz(k);
  out[i] += sum;
}

int main() {
  constexpr int kN = 64 * 256;
  int* out;
  cudaMallocManaged(&out, kN * sizeof(int));
  auto all_equal = [&](int value) {
    cudaDeviceSynchronize();
    int right = 1;
    for (int i = 0; i < kN; ++i)
      right &= out[i] == value;
    return right;
  };
  sums<<<64, 256>>>(out, 20);
  printf("sums %d\n", all_equal(20 * 32));
  shuffles<<<64, 256>>>(out, 100);
  int v = 0;
  for (int i = 0; i < 100; ++i)
    v += (v & 1) + 1;
  printf("shuffles %d\n", all_equal(v));
  cudaMemset(out, 0, kN * sizeof(int));
  plain<<<64, 256>>>(out);
  cudaDeviceSynchronize();
  printf("plain %d\n", all_equal(out[0]));
  return cudaDeviceSynchronize();
}

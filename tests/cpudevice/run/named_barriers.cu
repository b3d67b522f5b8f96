// Numbered barriers of PTX: some warps of a block meet, or a warp signals another warp.
// expect: two halves 1
// expect: producer and consumer 1
// expect: whole block 1
// expect: number from a register 1
#include "check.h"

constexpr int kRounds = 20;

__device__ void sync(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// Each half of the block sums up alone, the second half in twice as many rounds.
__global__ void halves(int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x, half = t / 64, first = 64 * half;
  int sum = 0;
  for (int round = 0; round < kRounds * (1 + half); ++round) {
    values[t] = t + round;
    sync(1 + half, 64);
    sum += values[first + (t + 17) % 64];
    sync(1 + half, 64);
  }
  __syncthreads();
  values[t] = sum;
  __syncthreads();
  out[blockIdx.x * 128 + t] = values[127 - t];
}

// The first warp fills two buffers in turn, the second warp adds up; an arrival without a wait
// marks a buffer as full, or as empty.
__global__ void stages(int* out) {
  __shared__ int buffer[2][32];
  const int t = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int k = 0; k < kRounds; ++k) {
      asm volatile("bar.sync %0, 64;" ::"r"(4 + k % 2) : "memory");  // waits until empty
      buffer[k % 2][t] = k * t;
      asm volatile("bar.arrive %0, 64;" ::"r"(2 + k % 2) : "memory");
    }
  } else {
    int sum = 0;
    for (int k = 0; k < 2; ++k)
      asm volatile("barrier.cta.arrive.aligned %0, 64;" ::"r"(4 + k) : "memory");
    for (int k = 0; k < kRounds; ++k) {
      asm volatile("barrier.cta.sync %0, 64;" ::"r"(2 + k % 2) : "memory");  // waits until full
      sum += buffer[k % 2][31 - t];
      if (k + 2 < kRounds) asm volatile("bar.arrive %0, 64;" ::"r"(4 + k % 2) : "memory");
    }
    out[blockIdx.x * 32 + t] = sum;
  }
}

// A block of 48 threads: the barrier's number of threads counts whole warps.
__global__ void all(int* out) {
  __shared__ int values[48];
  const int t = threadIdx.x;
  values[t] = t;
  asm volatile("bar.sync 7;" ::: "memory");
  const int other = values[47 - t];
  __barrier_sync(15);
  values[t] = other;
  __barrier_sync_count(3, 64);
  out[t] = values[(t + 1) % 48];
}

__global__ void numbers(int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  for (int number = 0; number < 16; ++number) {
    values[t] = number * t;
    sync(number, 64);
    const int other = values[63 - t];
    sync(number, 64);
    if (number == 15) out[t] = other;
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4096 * sizeof(int));
  bool right = true;
  halves<<<8, 128>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8 * 128; ++i) {
    const int t = 127 - i % 128, half = t / 64, rounds = kRounds * (1 + half);
    right &= out[i] == rounds * (64 * half + (t + 17) % 64) + rounds * (rounds - 1) / 2;
  }
  printf("two halves %d\n", right);
  stages<<<8, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8 * 32; ++i)
    right &= out[i] == (31 - i % 32) * kRounds * (kRounds - 1) / 2;
  printf("producer and consumer %d\n", right);
  all<<<1, 48>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 48; ++i)
    right &= out[i] == 47 - (i + 1) % 48;
  printf("whole block %d\n", right);
  numbers<<<1, 64>>>(out);
  right &= cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 64; ++i)
    right &= out[i] == 15 * (63 - i);
  printf("number from a register %d\n", right);
  cudaFree(out);
}

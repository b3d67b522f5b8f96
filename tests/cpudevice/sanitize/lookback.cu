// Chained blocks: each waits for the flag of the block before. By volatile and by atomics, right;
// and with an atomic and a fence for another address.
// finding: race @a @b
#include "launch.h"

constexpr int kBlocks = 32;

__global__ void by_volatile(int* sums, volatile int* flags) {
  if (threadIdx.x != 0) return;
  const int b = blockIdx.x;
  int before = 0;
  if (b > 0) {
    while (flags[b - 1] == 0) {
    }
    __threadfence();
    before = sums[b - 1];
  }
  sums[b] = before + b;
  __threadfence();
  flags[b] = 1;
}

__global__ void by_atomics(int* sums, int* flags) {
  __shared__ int before;
  const int b = blockIdx.x;
  if (threadIdx.x == 0) {
    before = 0;
    if (b > 0) {
      while (atomicAdd(&flags[b - 1], 0) == 0) {
      }
      before = sums[b - 1];
    }
  }
  __syncthreads();
  if (threadIdx.x == 31) {
    sums[b] = before + b;
    __threadfence();
    atomicExch(&flags[b], 1);
  }
}

// A lock around a counter.
__global__ void locked(int* lock, int* counter) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void unrelated(int* sums, int* counters) {
  if (threadIdx.x != 0) return;
  const int b = blockIdx.x;
  __threadfence();
  atomicAdd(&counters[b], 1);
  const int before = b > 0 ? sums[b - 1] : 0;  // @a
  sums[b] = before + b;                        // @b
  __threadfence();
  atomicAdd(&counters[b], 1);
}

int main() {
  int* sums = zeros<int>(kBlocks);
  int* flags = zeros<int>(kBlocks);
  by_volatile<<<kBlocks, 32>>>(sums, flags);
  cudaMemset(flags, 0, kBlocks * sizeof(int));
  by_atomics<<<kBlocks, 32>>>(sums, flags);
  cudaMemset(flags, 0, kBlocks * sizeof(int));
  locked<<<kBlocks, 32>>>(flags, sums);
  unrelated<<<kBlocks, 32>>>(sums, flags);
  cudaFree(flags);
  finish(sums);
}

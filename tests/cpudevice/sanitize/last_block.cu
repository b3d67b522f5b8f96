// The last block adds up the values of all blocks: with a fence, without a fence, with a fence for
// the block only, and with an unrelated atomic.
// finding: race @a @b
// finding: race @c @d
// finding: race @e @f
#include "launch.h"

constexpr int kBlocks = 16;

__device__ unsigned tickets[4];

__device__ bool is_last(unsigned* ticket) {
  __shared__ bool last;
  if (threadIdx.x == 0) last = atomicInc(ticket, kBlocks - 1) == kBlocks - 1;
  __syncthreads();
  return last;
}

__global__ void right(float* partial, float* result) {
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;
    __threadfence();
  }
  if (is_last(&tickets[0]) && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < kBlocks; ++i)
      sum += partial[i];
    *result = sum;
  }
}

// Every thread writes and fences; thread 0 draws the ticket behind a barrier.
__global__ void right_by_all(float* partial, float* result) {
  partial[blockIdx.x * 32 + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (is_last(&tickets[0])) {
    float sum = 0;
    for (int i = 0; i < kBlocks; ++i)
      sum += partial[i * 32 + threadIdx.x];
    result[threadIdx.x] = sum;
  }
}

__global__ void no_fence(float* partial, float* result) {
  if (threadIdx.x == 0) partial[blockIdx.x] = blockIdx.x;  // @a
  if (is_last(&tickets[1]) && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < kBlocks; ++i)
      sum += partial[i];  // @b
    *result = sum;
  }
}

__global__ void small_fence(float* partial, float* result) {
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;  // @c
    __threadfence_block();
  }
  if (is_last(&tickets[2]) && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < kBlocks; ++i)
      sum += partial[i];  // @d
    *result = sum;
  }
}

// The fence comes before the write that the fence should publish.
__global__ void wrong_fence(float* partial, float* result) {
  if (threadIdx.x == 0) {
    __threadfence();
    partial[blockIdx.x] = blockIdx.x;  // @e
  }
  if (is_last(&tickets[3]) && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < kBlocks; ++i)
      sum += partial[i];  // @f
    *result = sum;
  }
}

int main() {
  float* partial = zeros<float>(kBlocks * 32);
  float* result = zeros<float>(32);
  right<<<kBlocks, 32>>>(partial, result);
  right_by_all<<<kBlocks, 32>>>(partial, result);
  no_fence<<<kBlocks, 32>>>(partial, result);
  small_fence<<<kBlocks, 32>>>(partial, result);
  wrong_fence<<<kBlocks, 32>>>(partial, result);
  cudaFree(result);
  finish(partial);
}

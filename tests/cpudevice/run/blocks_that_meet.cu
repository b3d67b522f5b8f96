// Hundreds of blocks that wait for others, as in programs for large GPUs: first all blocks at a
// barrier of the program's own, then each block for the next block. The bodies of the waiting loops
// are empty.
// environment: CUDACPU_WORKERS=2
// environment: CUDACPU_TIMEOUT=20
// expect: done
#include <cstdio>

#include "check.h"

constexpr int kThreads = 256, kBlocks = 400, kRounds = 4;

__device__ volatile unsigned arrived;

__device__ void wait_for_all(unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(const_cast<unsigned*>(&arrived), 1);
    while (arrived < round * gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

// Each block reads what all blocks have written in the round before.
__global__ void meet(const int* in, int* out, int* sums) {
  for (unsigned round = 1; round <= kRounds; ++round) {
    const int* from = round % 2 ? in : out;
    int* to = round % 2 ? out : const_cast<int*>(in);
    const int i = blockIdx.x * kThreads + threadIdx.x;
    to[i] = from[(i + kThreads) % (kBlocks * kThreads)] + 1;
    wait_for_all(round);
  }
  if (threadIdx.x == 0) atomicAdd(sums, in[blockIdx.x * kThreads]);
}

__global__ void pass_down(volatile int* done) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x) {
      do {
      } while (done[blockIdx.x + 1] == 0);
    }
    __threadfence();
    done[blockIdx.x] = done[blockIdx.x + 1] + 1;
  }
  __syncthreads();
}

int main() {
  int *in, *out, *sum, *done;
  const size_t bytes = kBlocks * kThreads * sizeof(int);
  CHECK_OK(cudaMallocManaged(&in, bytes));
  CHECK_OK(cudaMallocManaged(&out, bytes));
  CHECK_OK(cudaMallocManaged(&sum, sizeof *sum));
  CHECK_OK(cudaMallocManaged(&done, (kBlocks + 1) * sizeof *done));
  CHECK_OK(cudaMemset(in, 0, bytes));
  CHECK_OK(cudaMemset(sum, 0, sizeof *sum));
  CHECK_OK(cudaMemset(done, 0, (kBlocks + 1) * sizeof *done));
  meet<<<kBlocks, kThreads>>>(in, out, sum);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*sum == kBlocks * kRounds);
  pass_down<<<kBlocks, kThreads>>>(done);
  CHECK_OK(cudaDeviceSynchronize());
  for (int b = 0; b < kBlocks; ++b)
    CHECK(done[b] == kBlocks - b);
  for (void* memory : {in, out, sum, done})
    CHECK_OK(cudaFree(memory));
  printf("done\n");
}

// All blocks wait for the last block: 40,000 threads with a stack each, more than a process can
// have mappings for.
// environment: CUDACPU_WORKERS=4
// expect: 160 blocks met
#include "check.h"

constexpr int kBlocks = 160, kThreads = 256;

__global__ void meet_kernel(int* arrived, int* met) {
  __shared__ int last;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < kBlocks) {
    }
    last = *arrived;
  }
  __syncthreads();
  if (threadIdx.x == kThreads - 1) atomicAdd(met, last == kBlocks);
}

int main() {
  int* counters;
  CHECK(cudaMallocManaged(&counters, 2 * sizeof(int)) == cudaSuccess);
  counters[0] = counters[1] = 0;
  meet_kernel<<<kBlocks, kThreads>>>(counters, counters + 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  printf("%d blocks met\n", counters[1]);
}

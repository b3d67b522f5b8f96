// Many blocks whose threads wait at once for data of other blocks, with more blocks than workers:
// for later blocks, by thread and by warp, and for all blocks in rounds.
// environment: CUDACPU_WORKERS=2
// environment: CUDACPU_TICK=0.001
// environment: CUDACPU_TIMEOUT=20
// expect: later blocks 1
// expect: rounds 1
// expect: warps 1
#include <cstdio>

constexpr int kBlocks = 8, kThreads = 32, kRounds = 3;

// Each thread waits for the same thread of the next block.
__global__ void later_blocks(volatile int* seen) {
  volatile int* mine = seen + blockIdx.x * kThreads + threadIdx.x;
  if (blockIdx.x + 1 < gridDim.x) {
    while (mine[kThreads] == 0) {
    }
  }
  *mine = 1;
}
// A round begins when all blocks have published the last round: all blocks must be under way.
__global__ void rounds(int* published) {
  for (int round = 1; round <= kRounds; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&published[blockIdx.x], round);
    if (threadIdx.x < gridDim.x) {
      while (atomicAdd(&published[threadIdx.x], 0) < round) {
      }
    }
    __syncthreads();
  }
}
// A warp waits together: the lanes vote whether to wait on.
__global__ void warps(int* published) {
  if (threadIdx.x < 32) {
    const int from = blockIdx.x + 1 + threadIdx.x;
    int ready;
    do {
      ready = from >= int(gridDim.x) || *const_cast<volatile int*>(&published[from]);
    } while (!__all_sync(~0u, ready));
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&published[blockIdx.x], 1);
}

int main() {
  int* data;
  cudaMallocManaged(&data, kBlocks * kThreads * sizeof(int));
  auto all_equal = [&](int count, int value) {
    cudaDeviceSynchronize();
    int right = 1;
    for (int i = 0; i < count; ++i)
      right &= data[i] == value;
    cudaMemset(data, 0, kBlocks * kThreads * sizeof(int));
    return right;
  };
  cudaMemset(data, 0, kBlocks * kThreads * sizeof(int));
  later_blocks<<<kBlocks, kThreads>>>(data);
  printf("later blocks %d\n", all_equal(kBlocks * kThreads, 1));
  rounds<<<kBlocks, kThreads>>>(data);
  printf("rounds %d\n", all_equal(kBlocks, kRounds));
  warps<<<kBlocks, kThreads>>>(data);
  printf("warps %d\n", all_equal(kBlocks, 1));
  return cudaDeviceSynchronize();
}

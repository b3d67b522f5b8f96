// Blocks of a launch that wait for each other: a block counts once if it reads a volatile or
// atomic variable in global memory that another block of the launch has set.
#include <cuda/atomic>

constexpr int kBlocks = 5;

// Each block waits for the block before, apart from the first.
// kernel chain: waiting_blocks=4
__global__ void chain(volatile int* flags, int* sums) {
  if (threadIdx.x != 0) return;
  const int block = blockIdx.x;
  while (block > 0 && flags[block - 1] == 0) {
  }
  sums[block] = block > 0 ? sums[block - 1] + block : 0;
  __threadfence();
  flags[block] = 1;
}

// kernel atomic_chain: waiting_blocks=4
__global__ void atomic_chain(int* flags) {
  if (threadIdx.x != 0) return;
  const int block = blockIdx.x;
  if (block > 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> before(flags[block - 1]);
    while (before.load(cuda::memory_order_acquire) == 0) {
    }
  }
  cuda::atomic_ref<int, cuda::thread_scope_device>(flags[block])
      .store(1, cuda::memory_order_release);
}

// What an earlier launch has set is waited for by none.
// kernel reads_only: waiting_blocks=0
__global__ void reads_only(const volatile int* flags, int* out) {
  out[blockIdx.x] = flags[(blockIdx.x + 1) % kBlocks];
}

// Variables that the block itself has set do not count, nor do variables in shared memory.
// kernel alone: waiting_blocks=0
__global__ void alone(volatile int* flags) {
  __shared__ volatile int shared;
  if (threadIdx.x == 0) flags[blockIdx.x] = shared = blockIdx.x;
  __syncthreads();
  if (flags[blockIdx.x] != shared) flags[blockIdx.x] = -1;
}

// Work from a counter is available at once.
// kernel takes: waiting_blocks=0
__global__ void takes(unsigned* counter, unsigned* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = atomicAdd(counter, 1u);
}

int main() {
  int *flags, *sums;
  unsigned* counter;
  cudaMalloc(&flags, kBlocks * sizeof(int));
  cudaMalloc(&sums, kBlocks * sizeof(int));
  cudaMalloc(&counter, (1 + kBlocks) * sizeof(unsigned));
  cudaMemset(flags, 0, kBlocks * sizeof(int));
  cudaMemset(counter, 0, sizeof(unsigned));
  chain<<<kBlocks, 32>>>(flags, sums);
  int last = 0;
  cudaMemcpy(&last, sums + kBlocks - 1, sizeof last, cudaMemcpyDeviceToHost);
  if (last != 10) return 1;
  cudaMemset(flags, 0, kBlocks * sizeof(int));
  atomic_chain<<<kBlocks, 32>>>(flags);
  reads_only<<<kBlocks, 1>>>(flags, sums);
  alone<<<kBlocks, 64>>>(flags);
  takes<<<kBlocks, 32>>>(counter, counter + 1);
  cudaFree(flags);
  cudaFree(sums);
  cudaFree(counter);
}

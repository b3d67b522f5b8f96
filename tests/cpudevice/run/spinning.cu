// Threads that wait in a loop for data from another thread of the block, or from another
// block.
// expect: volatile in the block 42
// expect: atomic in the block 43
// expect: lock 512
// expect: chain 32
// expect: later block 44
// expect: grid barrier by hand 64
#include <cstdio>

__global__ void volatile_wait(volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    *out = *flag;
  }
  if (threadIdx.x == 37) *flag = 42;
}
__global__ void atomic_wait(int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    *out = *flag;
  }
  if (threadIdx.x == 63) atomicExch(flag, 43);
}
__global__ void locked(int* lock, volatile int* counter) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      int seen = *counter;
      __nanosleep(10);  // lets all the others run against the lock
      *counter = seen + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
__global__ void chain(volatile int* sums) {
  if (threadIdx.x == 0) {
    while (blockIdx.x > 0 && sums[blockIdx.x - 1] == 0) {
    }
    sums[blockIdx.x] = blockIdx.x == 0 ? 1 : sums[blockIdx.x - 1] + 1;
  }
}
__global__ void later_block(volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    while (*flag == 0)
      __nanosleep(100);
    *out = *flag;
  } else if (blockIdx.x == gridDim.x - 1) {
    *flag = 44;
  }
}
__global__ void by_hand(int* arrived, int* out) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < int(gridDim.x)) {
    }
  }
  __syncthreads();
  atomicAdd(out, 1);
}

int main() {
  int* data;
  cudaMallocManaged(&data, 256);
  auto clear = [&] {
    for (int i = 0; i < 64; ++i)
      data[i] = 0;
  };
  auto result = [&](int i) {
    cudaDeviceSynchronize();
    return data[i];
  };
  clear();
  volatile_wait<<<1, 64>>>(data, data + 1);
  printf("volatile in the block %d\n", result(1));
  clear();
  atomic_wait<<<1, 64>>>(data, data + 1);
  printf("atomic in the block %d\n", result(1));
  clear();
  locked<<<4, 128>>>(data, data + 1);
  printf("lock %d\n", result(1));
  clear();
  chain<<<32, 64>>>(data);
  printf("chain %d\n", result(31));
  clear();
  later_block<<<8, 1>>>(data, data + 1);
  printf("later block %d\n", result(1));
  clear();
  by_hand<<<8, 8>>>(data, data + 1);
  printf("grid barrier by hand %d\n", result(1));
  return cudaDeviceSynchronize();
}

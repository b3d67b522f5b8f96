// Kernels of all shapes in turn, whose threads sleep, wait and end in every order: each block
// reuses the stacks and the threads of the block before it.
// expect: 0 wrong of 1440
#include <cstdio>

// The numbers of thread and block and the seed decide what a thread does.
__host__ __device__ unsigned mixed(unsigned a, unsigned b, unsigned seed) {
  unsigned x = a * 2654435761u ^ b * 2246822519u ^ seed * 3266489917u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ x >> 13;
}

enum Behaviour { kNothing, kSleeps, kBarriers, kSomeEnd, kWarps, kMixed, kBehaviours };

__global__ void go(int behaviour, unsigned seed, unsigned* sum) {
  const unsigned number = mixed(threadIdx.x, blockIdx.x, seed);
  if (behaviour == kNothing) {
    atomicAdd(sum, number);
    return;
  }
  if ((behaviour == kSomeEnd || behaviour == kMixed) && number % 3 == 0) {
    atomicAdd(sum, number);
    return;
  }
  if (behaviour == kSleeps || (behaviour == kMixed && number % 5 == 0)) {
    for (unsigned k = 0; k < number % 4; ++k)
      __nanosleep(100);
  }
  if (behaviour == kBarriers || behaviour == kSomeEnd || behaviour == kMixed) {
    for (unsigned k = 0; k < 1 + seed % 3; ++k)
      __syncthreads();
  }
  if (behaviour == kWarps || (behaviour == kMixed && seed % 2 == 0)) __syncwarp(__activemask());
  atomicAdd(sum, number);
}

int main() {
  unsigned* sum;
  cudaMallocManaged(&sum, sizeof *sum);
  const int threads[] = {1, 2, 31, 32, 33, 64, 100, 256};
  const int blocks[] = {1, 2, 3, 7, 40, 300};
  int wrong = 0, launches = 0;
  for (unsigned round = 0; round < 5; ++round) {
    for (int behaviour = 0; behaviour < kBehaviours; ++behaviour) {
      for (int b : blocks) {
        for (int t : threads) {
          const unsigned seed = ++launches;
          unsigned expected = 0;
          for (int i = 0; i < b; ++i) {
            for (int j = 0; j < t; ++j)
              expected += mixed(j, i, seed);
          }
          *sum = 0;
          go<<<b, t>>>(behaviour, seed, sum);
          const cudaError_t error = cudaDeviceSynchronize();
          if (error != cudaSuccess || *sum != expected) {
            ++wrong;
            printf("behaviour %d, %d blocks of %d threads: %s\n", behaviour, b, t,
                   cudaGetErrorString(error));
          }
        }
      }
    }
  }
  printf("%d wrong of %d\n", wrong, launches);
}

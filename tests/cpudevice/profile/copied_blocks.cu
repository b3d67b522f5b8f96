// Loops that the compiler changes after the profile has counted the blocks do not change the
// count, and a block may have more instructions than fit into 16 bits.
#include <cuda_runtime.h>

// No compiler can merge several rounds.
#define ROUND value = (value ^ value >> 15) * 1664525u;
#define ROUNDS ROUND ROUND ROUND ROUND ROUND ROUND ROUND ROUND

// kernel work: warps=1 warp_instructions>16000
__global__ void work(unsigned* values, int rounds) {
  unsigned value = values[threadIdx.x];  // global_load: requests=1
#pragma GCC unroll 16
  for (int i = 0; i < rounds; ++i) {
    ROUNDS
  }
  values[threadIdx.x] = value;
}

#define QUOTIENT sum += numbers[i] / (sum | 1);
#define QUOTIENTS QUOTIENT QUOTIENT QUOTIENT QUOTIENT QUOTIENT QUOTIENT

// kernel divide: warps=1 warp_instructions>66000
__global__ void divide(unsigned __int128* numbers) {
  const int i = threadIdx.x;
  unsigned __int128 sum = 1;
  // 36 macros in one block, with 2000 instructions each
  QUOTIENTS QUOTIENTS QUOTIENTS QUOTIENTS QUOTIENTS QUOTIENTS numbers[i] = sum;
}

int main() {
  unsigned* values;
  cudaMalloc(&values, 32 * sizeof(unsigned __int128));
  cudaMemset(values, 1, 32 * sizeof(unsigned __int128));
  work<<<1, 32>>>(values, 1000);
  divide<<<1, 32>>>(reinterpret_cast<unsigned __int128*>(values));
  cudaDeviceSynchronize();
}

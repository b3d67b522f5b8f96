// The lanes of a warp meet in a loop until another warp of the block, which starts later, has
// written something: the other warps run meanwhile.
// environment: CUDACPU_TICK=0.5
// expect: 45 rounds
#include <cstdio>

#include "check.h"

constexpr int kWarps = 10;

// Each warp waits for the sum of the next warp, and then adds the warp number.
__global__ void chain_kernel(volatile int* sums) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  bool waits;
  do {
    waits = warp + 1 < kWarps && sums[warp + 1] < 0;
  } while (__any_sync(~0u, waits));
  if (lane == 0) sums[warp] = warp + (warp + 1 < kWarps ? sums[warp + 1] : 0);
}

int main() {
  int* sums;
  CHECK_OK(cudaMallocManaged(&sums, kWarps * sizeof(int)));
  for (int i = 0; i < kWarps; ++i)
    sums[i] = -1;
  chain_kernel<<<1, kWarps * 32>>>(sums);
  CHECK_OK(cudaDeviceSynchronize());
  printf("%d rounds\n", sums[0]);
}

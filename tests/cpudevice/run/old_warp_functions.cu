// Votes and shuffles without a mask: all lanes of a common call take part
// flags: -Wno-deprecated-declarations
// expect: done
#include <cstdio>

#include "check.h"

constexpr int kLanes = 32;

// A program's own function of an old name goes before the device's.
template <typename T>
__device__ T __shfl_up(T value, unsigned int delta, int width = kLanes) {
  return __shfl_up_sync(0xffffffffu, value, delta, width) + T(1000);
}

__device__ int sum_of_warp(int value) {
  for (int step = kLanes / 2; step > 0; step /= 2)
    value += __shfl_xor(value, step);
  return value;
}

__global__ void shuffle_kernel(int* sums, float* rotated, double* halves, int* above) {
  const int lane = threadIdx.x % kLanes;
  sums[threadIdx.x] = sum_of_warp(static_cast<int>(threadIdx.x));
  rotated[threadIdx.x] = __shfl(static_cast<float>(lane), lane + 1);
  halves[threadIdx.x] = __shfl_down(static_cast<double>(lane), 4u, 16);
  above[threadIdx.x] = __shfl_up(lane, 1u);
}

// Each half of the lanes votes alone.
__global__ void vote_kernel(unsigned int* ballots, int* any, int* all) {
  const int lane = threadIdx.x;
  if (lane < 16) {
    ballots[lane] = __ballot(lane % 2);
    any[lane] = __any(lane == 20);
    all[lane] = __all(lane < 16);
  } else {
    ballots[lane] = __ballot(lane >= 24);
    any[lane] = __any(lane == 20);
    all[lane] = __all(lane > 16);
  }
}

int main() {
  constexpr int kThreads = 2 * kLanes;
  int *sums, *above, *any, *all;
  float* rotated;
  double* halves;
  unsigned int* ballots;
  cudaMallocManaged(&sums, kThreads * sizeof(int));
  cudaMallocManaged(&above, kThreads * sizeof(int));
  cudaMallocManaged(&rotated, kThreads * sizeof(float));
  cudaMallocManaged(&halves, kThreads * sizeof(double));
  cudaMallocManaged(&ballots, kLanes * sizeof(unsigned int));
  cudaMallocManaged(&any, kLanes * sizeof(int));
  cudaMallocManaged(&all, kLanes * sizeof(int));
  shuffle_kernel<<<1, kThreads>>>(sums, rotated, halves, above);
  vote_kernel<<<1, kLanes>>>(ballots, any, all);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < kThreads; ++i) {
    const int lane = i % kLanes, first = i - lane;
    CHECK(sums[i] == kLanes * first + kLanes * (kLanes - 1) / 2);
    CHECK(rotated[i] == static_cast<float>((lane + 1) % kLanes));
    CHECK(halves[i] == (lane % 16 + 4 < 16 ? lane + 4 : lane));
    CHECK(above[i] == (lane ? lane - 1 : 0) + 1000);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    CHECK(ballots[lane] == (lane < 16 ? 0x0000aaaau : 0xff000000u));
    CHECK(any[lane] == (lane >= 16));
    CHECK(all[lane] == (lane < 16));
  }
  puts("done");
  cudaDeviceReset();
}

// Reductions within a warp: relying on lockstep, by volatile or not; and with __syncwarp.
// finding: race @a @a
// finding: race @b @c
#include "launch.h"

constexpr unsigned kAll = 0xffffffff;

__global__ void by_volatile(int* out) {
  __shared__ volatile int sums[64];
  const int lane = threadIdx.x;
  sums[lane] = lane;
  sums[lane + 32] = 0;
  __syncwarp();
  for (int stride = 16; stride > 0; stride /= 2) {
    sums[lane] = sums[lane] + sums[lane + stride];  // @a
  }
  __syncwarp();
  out[lane] = sums[0];
}

__global__ void by_nothing(int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = out[threadIdx.x];      // @c
  out[threadIdx.x] = values[threadIdx.x ^ 1];  // @b
}

__global__ void right(int* out) {
  __shared__ int sums[64];
  const int lane = threadIdx.x;
  sums[lane] = lane;
  sums[lane + 32] = 0;
  __syncwarp();
  for (int stride = 16; stride > 0; stride /= 2) {
    const int sum = sums[lane] + sums[lane + stride];
    __syncwarp();
    sums[lane] = sum;
    __syncwarp();
  }
  // Half a warp at a time.
  if (lane < 16) {
    sums[lane] = lane;
    __syncwarp(0xffff);
    out[lane] = sums[15 - lane] + __shfl_sync(0xffff, lane, 3);
  }
  int total = lane;
  for (int offset = 16; offset > 0; offset /= 2)
    total += __shfl_down_sync(kAll, total, offset);
  if (lane == 0) out[16] = total;
}

int main() {
  int* out = zeros<int>(32);
  by_volatile<<<1, 32>>>(out);
  by_nothing<<<1, 32>>>(out);
  right<<<1, 32>>>(out);
  finish(out);
}

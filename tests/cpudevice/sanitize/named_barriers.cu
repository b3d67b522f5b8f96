// Numbered barriers of PTX: correct, without a wait of one warp, and with different numbers.
// finding: race @b @a
// finding: race @d @c
#include "launch.h"

// The first warp sends a value to the second warp, which reports the read.
template <bool kWaits>
__global__ void send(int* out) {
  __shared__ int sent[32];
  const int t = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int k = 0; k < 4; ++k) {
      if (k > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      sent[t] = k * t;  // @a
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
  } else {
    int sum = 0;
    for (int k = 0; k < 4; ++k) {
      if (kWaits) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
      } else {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
      }
      sum += sent[31 - t];  // @b
      if (k < 3) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
    out[t] = sum;
  }
}

// Pairs of warps meet; each pair reads the values of another pair, or of the same pair.
template <int kOther>
__global__ void pairs(int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x, pair = t / 64;
  values[t] = t;  // @c
  asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
  out[t] = values[(t + kOther) % 64 + 64 * ((pair + kOther / 64) % 2)];  // @d
}

int main() {
  int* out = zeros<int>(128);
  send<true><<<2, 64>>>(out);
  pairs<32><<<2, 128>>>(out);
  send<false><<<2, 64>>>(out);
  pairs<64><<<1, 128>>>(out);
  finish(out);
}

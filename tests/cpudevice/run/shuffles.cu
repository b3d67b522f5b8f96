// Shuffles of every type, with a width and out of range; matches; reductions.
// expect: done
#include "check.h"

constexpr unsigned kFull = 0xffffffffu;

__global__ void widths_kernel() {
  const int lane = threadIdx.x % 32;
  for (int width = 1; width <= 32; width *= 2) {
    const int first = lane / width * width;
    for (int delta = 0; delta < 32; ++delta) {
      CHECK(__shfl_sync(kFull, lane, delta, width) == first + delta % width);
      CHECK(__shfl_up_sync(kFull, lane, delta, width) ==
            (lane - delta < first ? lane : lane - delta));
      CHECK(__shfl_down_sync(kFull, lane, delta, width) ==
            (lane + delta >= first + width ? lane : lane + delta));
      // An xor may reach back into an earlier segment, but not forward.
      CHECK(__shfl_xor_sync(kFull, lane, delta, width) ==
            ((lane ^ delta) >= first + width ? lane : lane ^ delta));
    }
  }
  CHECK(__shfl_sync(kFull, lane, -1) == 31);
}

template <typename T>
__device__ void type(T base) {
  const int lane = threadIdx.x % 32;
  CHECK(__shfl_sync(kFull, T(base + lane), 3) == T(base + 3));
  CHECK(__shfl_down_sync(kFull, T(base + lane), 1, 16) == T(base + lane + (lane % 16 < 15)));
}

__global__ void types_kernel() {
  type<int>(-7);
  type<unsigned>(4000000000u);
  type<long>(-(1l << 40));
  type<unsigned long>(1ul << 63);
  type<long long>(1ll << 50);
  type<unsigned long long>(~0ull - 99);
  type<float>(0.5f);
  type<double>(1e15 + 0.5);
}

__global__ void matches_kernel() {
  const int lane = threadIdx.x % 32;
  CHECK(__match_any_sync(kFull, lane / 5) == (lane / 5 == 6 ? 3u << 30 : 31u << lane / 5 * 5));
  int same;
  CHECK(__match_all_sync(kFull, 2.5, &same) == kFull && same);
  CHECK(__match_all_sync(kFull, lane < 31, &same) == 0 && !same);
  CHECK(__ballot_sync(kFull, lane % 4 == 1) == 0x22222222u);
  CHECK(__all_sync(kFull, lane < 32) && !__all_sync(kFull, lane) && __any_sync(kFull, lane == 9));
  CHECK(__uni_sync(kFull, lane < 32) && !__uni_sync(kFull, lane < 16));
  if (lane % 2) {
    CHECK(__activemask() == 0xaaaaaaaau);
    CHECK(__ballot_sync(0xaaaaaaaau, lane > 15) == 0xaaaa0000u);
    CHECK(__shfl_down_sync(0xaaaaaaaau, lane, 2) == (lane + 2 > 31 ? lane : lane + 2));
  }
}

__global__ void reductions_kernel() {
  const int lane = threadIdx.x % 32;
  CHECK(__reduce_add_sync(kFull, lane - 16) == -16 && __reduce_add_sync(kFull, 1u) == 32);
  CHECK(__reduce_min_sync(kFull, -lane) == -31 && __reduce_max_sync(kFull, unsigned(lane)) == 31);
  CHECK(__reduce_and_sync(kFull, 0xf0u | lane) == 0xf0u &&
        __reduce_or_sync(kFull, 1u << lane) == kFull);
  CHECK(__reduce_xor_sync(kFull, unsigned(lane)) == 0);
  if (lane < 8) CHECK(__reduce_add_sync(0xffu, lane) == 28);
}

// The last warp is not full.
__global__ void partial_warp_kernel() {
  const unsigned mask = threadIdx.x < 32 ? kFull : 0xffu;
  CHECK(__popc(__activemask()) == __popc(mask));
  CHECK(__popc(__ballot_sync(mask, 1)) == __popc(mask));
  // Missing lanes and ended lanes give 0, as on an H200.
  int sum = 1;
  for (int distance = 16; distance; distance /= 2)
    sum += __shfl_down_sync(kFull, sum, distance);
  if (threadIdx.x == 0) CHECK(sum == 32);
  if (threadIdx.x == 32) CHECK(sum == 8);
  if (threadIdx.x < 32) return;
  if (threadIdx.x >= 36) return;
  CHECK(__shfl_xor_sync(kFull, 7.5, 4) == 0);
  CHECK(__shfl_up_sync(kFull, 7.5f, 4) == 7.5f);  // out of range
}

int main() {
  widths_kernel<<<2, 64>>>();
  types_kernel<<<1, 32>>>();
  matches_kernel<<<1, 64>>>();
  reductions_kernel<<<1, 64>>>();
  partial_warp_kernel<<<1, 40>>>();
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}

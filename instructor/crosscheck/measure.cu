// Measures single costs of a GPU: the numbers of gpus/<model>.json that can be measured alone.
//
//   nvcc -O3 -arch=native -Iharness/student instructor/crosscheck/measure.cu -o build/measure
//   build/measure
//
// Each number is the difference of two times, medians of 15 each, whose calls differ in a single
// thing. While the device waits, the host queues everything, so that the host's time is not
// included, except in the last two numbers, which measure the host.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "cuda_check.h"
#include "device_array.h"

namespace {

constexpr int kRepeats = 15;
constexpr int kBlockSize = 256;
constexpr long long kDelayClocks = 400'000;  // 0.2 ms: enough for the host to queue 100 launches

__global__ void delay_kernel(long long clocks) {
  for (const long long begin = clock64(); clock64() - begin < clocks;) {
  }
}

__global__ void empty_kernel() {}

// Element i holds the index of element i + step, in a circle.
__global__ void link_kernel(unsigned* next, unsigned n, unsigned step) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    next[i] = (i + step) % n;
  }
}

// A single thread. The store never happens; its only purpose is to keep the loads.
__global__ void follow_kernel(const unsigned* next, int hops, unsigned* sink) {
  unsigned i = 0;
  for (int hop = 0; hop < hops; ++hop)
    i = next[i];
  if (i == ~0u) *sink = i;
}

// Three instructions a round, each of which needs the previous result.
__global__ void chain_kernel(int rounds, unsigned* sink) {
  unsigned x = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    x = x * 1664525u + 1013904223u;
    x ^= x >> 13;
  }
  if (x == 1) *sink = x;
}

__global__ void barrier_kernel(int rounds) {
  for (int round = 0; round < rounds; ++round)
    __syncthreads();
}

// An update of the same address by each warp and round.
__global__ void atomic_kernel(int rounds, unsigned* counter) {
  if (threadIdx.x % 32 != 0) return;
  for (int round = 0; round < rounds; ++round)
    atomicAdd(counter, 1u);
}

class Clock {
 public:
  Clock() {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  ~Clock() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  // Runs before each call and is not timed.
  std::function<void()> before = [] {};

  // The time of the work that `call` queues, in us, the median of kRepeats.
  double time_us(const std::function<void()>& call) {
    std::vector<float> times(kRepeats);
    for (float& ms : times) {
      before();
      CUDA_CHECK(cudaDeviceSynchronize());
      delay_kernel<<<1, 1>>>(kDelayClocks);
      CUDA_CHECK(cudaEventRecord(start_));
      call();
      CUDA_CHECK(cudaEventRecord(stop_));
      CUDA_CHECK(cudaDeviceSynchronize());
      CUDA_CHECK(cudaEventElapsedTime(&ms, start_, stop_));
    }
    std::nth_element(times.begin(), times.begin() + kRepeats / 2, times.end());
    return times[kRepeats / 2] * 1e3;
  }

 private:
  cudaEvent_t start_;
  cudaEvent_t stop_;
};

// The cost of another round, in us.
double per_round_us(Clock& clock, int few, int many, const std::function<void(int)>& call) {
  const double short_us = clock.time_us([&] { call(few); });
  return (clock.time_us([&] { call(many); }) - short_us) / (many - few);
}

void repeat(int times, const std::function<void()>& call) {
  for (int i = 0; i < times; ++i)
    call();
}

}  // namespace

int main() {
  int processors = 0;
  int khz = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CUDA_CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  const double ghz = khz / 1e6;
  const int resident = processors * 2048 / kBlockSize;
  Clock clock;
  DeviceArray<unsigned> sink(1);

  std::printf("call_us                     %.2f\n", clock.time_us([] {}));
  const auto launches = [](int blocks, int threads) {
    return [=](int n) { repeat(n, [=] { empty_kernel<<<blocks, threads>>>(); }); };
  };
  std::printf("launch_us, one block        %.2f\n", per_round_us(clock, 1, 32, launches(1, 32)));
  std::printf("launch_us, a full device    %.2f\n",
              per_round_us(clock, 1, 32, launches(resident, kBlockSize)));
  const double empty_us = clock.time_us([] { empty_kernel<<<1 << 18, kBlockSize>>>(); });
  const double none_us = clock.time_us([] { empty_kernel<<<1, kBlockSize>>>(); });
  std::printf("blocks_per_ns               %.3f\n", (1 << 18) / (empty_us - none_us) / 1e3);

  // 64 KB apart: no line is used twice. 4 MB stay in L2; 256 MB are written again and evict each
  // other.
  for (const unsigned n : {1u << 20, 64u << 20}) {
    DeviceArray<unsigned> next(n);
    const auto link = [&] { link_kernel<<<4096, kBlockSize>>>(next.data(), n, 1 << 14); };
    link();
    if (n > 1u << 20) clock.before = link;
    const double hop_us = per_round_us(
        clock, 8, 32, [&](int hops) { follow_kernel<<<1, 1>>>(next.data(), hops, sink.data()); });
    std::printf("clocks of a load, %3u MB    %.0f\n", n >> 18, hop_us * ghz * 1e3);
    clock.before = [] {};
  }
  std::printf("clocks of a chain's round   %.1f\n",
              ghz * 1e3 * per_round_us(clock, 1000, 10'000, [&](int rounds) {
                chain_kernel<<<1, 32>>>(rounds, sink.data());
              }));
  std::printf("clocks of a barrier, full   %.0f\n",
              ghz * 1e3 * per_round_us(clock, 10, 1000, [&](int rounds) {
                barrier_kernel<<<resident, kBlockSize>>>(rounds);
              }));
  const double atomics_us = per_round_us(clock, 1, 64, [&](int rounds) {
    atomic_kernel<<<resident, kBlockSize>>>(rounds, sink.data());
  });
  std::printf("same_address_atomics_per_ns %.2f\n", resident * kBlockSize / 32 / atomics_us / 1e3);

  // The host's part: the host waits, or copies a number, before queuing the next launch.
  const auto waiting = [](int n) {
    repeat(n, [] {
      empty_kernel<<<1, 32>>>();
      CUDA_CHECK(cudaDeviceSynchronize());
    });
  };
  std::printf("us of a launch and a wait   %.1f\n", per_round_us(clock, 1, 8, waiting));
  const auto copying = [&](int n) {
    unsigned number = 0;
    repeat(n, [&] {
      CUDA_CHECK(cudaMemcpy(&number, sink.data(), sizeof number, cudaMemcpyDeviceToHost));
    });
  };
  std::printf("us of copying a number back %.1f\n", per_round_us(clock, 1, 8, copying));
  const auto launching_too = [&](int n) {
    repeat(n, [&] {
      empty_kernel<<<1, 32>>>();
      copying(1);
    });
  };
  std::printf("us of that after a launch   %.1f\n", per_round_us(clock, 1, 8, launching_too));
  return 0;
}

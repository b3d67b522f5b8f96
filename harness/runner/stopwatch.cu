#include "stopwatch.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBlockSize = 256;
constexpr int kCalibrations = 9;
// Clearing 16 GiB takes an H200's driver 40 ms. A disturbance that lasts longer than kPatience has
// another cause.
constexpr std::chrono::milliseconds kPatience(300);
// Between two checks: the checks themselves use memory, and would slow down the clearing.
constexpr std::chrono::microseconds kPause(500);
// At least kLeastRead bytes are read, so that the time of the read, which shows whether anything
// disturbs the device's memory, is long compared with the resolution of an event, about half a
// microsecond.
constexpr size_t kLeastRead = size_t{256} << 20;

// Reads the whole array in a grid-stride loop. Reads instead of writing, because dirty lines would
// be written back during the next measurement. The store never happens; its only purpose is to keep
// the reads.
__global__ void read_kernel(const unsigned* data, size_t size, unsigned* sink) {
  unsigned sum = 0;
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < size;
       i += gridDim.x * static_cast<size_t>(blockDim.x)) {
    sum |= data[i];
  }
  if (sum == 1) *sink = sum;
}

// At least twice the L2 cache, so that no line of an earlier repeat is left. Nothing on the CPU
// device, where times are modelled or only informative.
size_t eviction_size() {
#ifdef __CUDACPU__
  return 0;
#else
  int device = 0;
  int l2_bytes = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
  return std::max(kLeastRead, 2 * static_cast<size_t>(l2_bytes)) / sizeof(unsigned);
#endif
}

// Whether lines of the L2 cache can be made persistent.
bool can_persist() {
  int device = 0;
  int bytes = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxPersistingL2CacheSize, device));
  return bytes > 0;
}

}  // namespace

Stopwatch::Stopwatch() : eviction_(eviction_size()), persisting_(can_persist()) {
  for (cudaEvent_t* event : {&start_, &stop_, &idle_, &evict_})
    CUDA_CHECK(cudaEventCreate(event));
  if (eviction_.size() > 0) CUDA_CHECK(cudaMemset(eviction_.data(), 0, eviction_.bytes()));
  std::vector<float> idle_ms(kCalibrations);
  for (float& ms : idle_ms) {
    time_ms([] {});
    CUDA_CHECK(cudaEventElapsedTime(&ms, stop_, idle_));
  }
  std::sort(idle_ms.begin(), idle_ms.end());
  idle_ms_ = idle_ms[kCalibrations / 2];
}

Stopwatch::~Stopwatch() {
  for (cudaEvent_t event : {start_, stop_, idle_, evict_})
    cudaEventDestroy(event);
}

// Queues the eviction of the inputs from the L2 cache.
void Stopwatch::evict() {
  if (eviction_.size() == 0) return;
  const auto blocks = static_cast<unsigned>(ceil_div(eviction_.size(), kBlockSize * 8));
  read_kernel<<<blocks, kBlockSize>>>(eviction_.data(), eviction_.size(), eviction_.data());
  CUDA_CHECK(cudaGetLastError());
}

// The time in ms of an eviction, which is the time of a read from the device's memory. All earlier
// work has ended. An eviction before the timed eviction covers the host's launch overhead.
float Stopwatch::evict_ms() {
  evict();
  CUDA_CHECK(cudaEventRecord(evict_));
  evict();
  CUDA_CHECK(cudaEventRecord(start_));
  CUDA_CHECK(cudaDeviceSynchronize());
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, evict_, start_));
  return ms;
}

// Waits until memory is at its steady rate. All earlier work has ended.
void Stopwatch::wait_until_steady() {
  if (eviction_.size() == 0) return;
  float ms = evict_ms();
  const Clock::time_point begin = Clock::now();
  while (!rate_.is_steady(ms)) {
    const std::chrono::duration<double, std::milli> waited = Clock::now() - begin;
    if (waited > kPatience) {
      rate_.settle_for(ms);
      break;
    }
    std::this_thread::sleep_for(kPause);
    ms = evict_ms();
  }
  waited_ms_ += std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// All earlier work has ended, no line that an earlier call made persistent is left, and the call is
// queued while the eviction still runs: the host's launch overhead stays outside the two events.
void Stopwatch::begin(bool steady) {
  disturbed_ = false;
  CUDA_CHECK(cudaDeviceSynchronize());
  if (persisting_) CUDA_CHECK(cudaCtxResetPersistingL2Cache());
  if (steady) wait_until_steady();
  evict();
  CUDA_CHECK(cudaEventRecord(start_));
}

float Stopwatch::time_once_ms(const std::function<void()>& call,
                              const std::function<void()>& behind) {
  begin(false);
  call();
  CUDA_CHECK(cudaEventRecord(stop_));
  behind();
  CUDA_CHECK(cudaDeviceSynchronize());
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start_, stop_));
  return ms;
}

float Stopwatch::time_ms(const std::function<void()>& call, const std::function<void()>& behind) {
  begin(true);
  call();
  CUDA_CHECK(cudaEventRecord(stop_));
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaEventRecord(idle_));
  if (behind) behind();
  CUDA_CHECK(cudaDeviceSynchronize());
  float ms = 0;
  float late_ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start_, stop_));
  CUDA_CHECK(cudaEventElapsedTime(&late_ms, stop_, idle_));
  disturbed_ = eviction_.size() > 0 && !rate_.is_steady(evict_ms());
  // The late work is certainly in streams that the default stream does not wait for.
  return late_ms > 2 * idle_ms_ ? ms + late_ms - idle_ms_ : ms;
}

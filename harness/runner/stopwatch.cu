#include "stopwatch.h"

#include <algorithm>
#include <vector>

namespace {

constexpr int kBlockSize = 256;
constexpr int kCalibrations = 9;

// Reads the whole array in a grid-stride loop. It reads because lines that a write leaves dirty
// would be written back during the next measurement. The store never happens; it keeps the reads.
__global__ void read_kernel(const unsigned* data, size_t size, unsigned* sink) {
  unsigned sum = 0;
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < size;
       i += gridDim.x * static_cast<size_t>(blockDim.x)) {
    sum |= data[i];
  }
  if (sum == 1) *sink = sum;
}

// Twice the L2 cache, so that no line of an earlier repeat is left. Nothing on the CPU device,
// where times are modelled or only informative.
size_t eviction_size() {
#ifdef __CUDACPU__
  return 0;
#else
  int device = 0;
  int l2_bytes = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
  return 2 * static_cast<size_t>(l2_bytes) / sizeof(unsigned);
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
  for (cudaEvent_t* event : {&start_, &stop_, &idle_})
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
  for (cudaEvent_t event : {start_, stop_, idle_})
    cudaEventDestroy(event);
}

// Evicts the inputs from the L2 cache, also lines that an earlier call made persistent.
void Stopwatch::evict() {
  if (persisting_) CUDA_CHECK(cudaCtxResetPersistingL2Cache());
  if (eviction_.size() == 0) return;
  const auto blocks = static_cast<unsigned>(ceil_div(eviction_.size(), kBlockSize * 8));
  read_kernel<<<blocks, kBlockSize>>>(eviction_.data(), eviction_.size(), eviction_.data());
  CUDA_CHECK(cudaGetLastError());
}

// All earlier work has ended, and the call is queued while the eviction still runs: the host's
// launch overhead stays outside the two events.
void Stopwatch::begin() {
  CUDA_CHECK(cudaDeviceSynchronize());
  evict();
  CUDA_CHECK(cudaEventRecord(start_));
}

float Stopwatch::time_once_ms(const std::function<void()>& call,
                              const std::function<void()>& behind) {
  begin();
  call();
  CUDA_CHECK(cudaEventRecord(stop_));
  behind();
  CUDA_CHECK(cudaDeviceSynchronize());
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start_, stop_));
  return ms;
}

float Stopwatch::time_ms(const std::function<void()>& call, const std::function<void()>& behind) {
  begin();
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
  // This is certainly work in streams that the default stream does not wait for.
  return late_ms > 2 * idle_ms_ ? ms + late_ms - idle_ms_ : ms;
}

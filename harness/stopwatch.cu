#include "stopwatch.h"

namespace {

constexpr int kBlockSize = 256;

// Reads the whole array in a grid-stride loop. Reads, because lines left dirty by writes would be
// written back during the measurement that follows. The store never happens; it keeps the reads.
__global__ void read_kernel(const unsigned* data, size_t size, unsigned* sink) {
  unsigned sum = 0;
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < size;
       i += gridDim.x * static_cast<size_t>(blockDim.x)) {
    sum |= data[i];
  }
  if (sum == 1) *sink = sum;
}

// Twice the L2 cache, so that no line of a former repeat is left. Nothing on the CPU device, where
// times are either modelled or only told for information.
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

}  // namespace

Stopwatch::Stopwatch() : eviction_(eviction_size()) {
  CUDA_CHECK(cudaEventCreate(&start_));
  CUDA_CHECK(cudaEventCreate(&stop_));
  if (eviction_.size() > 0) CUDA_CHECK(cudaMemset(eviction_.data(), 0, eviction_.bytes()));
}

Stopwatch::~Stopwatch() {
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
}

float Stopwatch::time_ms(const std::function<void()>& call) {
  // Everything before has ended, and the call is queued while the eviction still runs: the launch
  // overhead of the host stays outside the two events.
  CUDA_CHECK(cudaDeviceSynchronize());
  if (eviction_.size() > 0) {
    const auto blocks = static_cast<unsigned>(ceil_div(eviction_.size(), kBlockSize * 8));
    read_kernel<<<blocks, kBlockSize>>>(eviction_.data(), eviction_.size(), eviction_.data());
    CUDA_CHECK(cudaGetLastError());
  }
  CUDA_CHECK(cudaEventRecord(start_));
  call();
  CUDA_CHECK(cudaEventRecord(stop_));
  CUDA_CHECK(cudaDeviceSynchronize());
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start_, stop_));
  return ms;
}

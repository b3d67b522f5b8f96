// The fastest saxpy_host we know: rung 7, and room for small problems too.
//
//   make check-saxpy PART=saxpy_host WITH=solution
//
// What it adds to the ladder:
// - The chunks of a small problem are smaller, so that all host threads have a share of it.
// - The calling thread takes a share itself instead of waiting for the others.
#include "saxpy.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <vector>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kMostPerChunk = 1 << 18;   // floats: 1 MiB per array
constexpr int kLeastPerChunk = 1 << 14;  // less is not worth its copies and its launch
constexpr int kSlots = 2;                // per host thread
constexpr int kThreads = 8;

// One thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

// The buffers of one chunk on its way, in this order: x, y, result.
class Slot {
 public:
  Slot() {
    CUDA_CHECK(cudaMallocHost(&pinned_, 3 * kMostPerChunk * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&device_, 3 * kMostPerChunk * sizeof(float)));
    CUDA_CHECK(cudaStreamCreate(&stream_));
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() {
    cudaStreamDestroy(stream_);
    cudaFree(device_);
    cudaFreeHost(pinned_);
  }

  // Sends a chunk of n <= kMostPerChunk elements off and returns before it is computed.
  void begin(int n, float scale, const float* x, const float* y, float* result) {
    n_ = n;
    result_ = result;
    const size_t bytes = n * sizeof(float);
    float* d_x = device_;
    float* d_y = device_ + kMostPerChunk;
    float* d_result = device_ + 2 * kMostPerChunk;
    std::memcpy(pinned_, x, bytes);
    CUDA_CHECK(cudaMemcpyAsync(d_x, pinned_, bytes, cudaMemcpyHostToDevice, stream_));
    std::memcpy(pinned_ + kMostPerChunk, y, bytes);
    CUDA_CHECK(
        cudaMemcpyAsync(d_y, pinned_ + kMostPerChunk, bytes, cudaMemcpyHostToDevice, stream_));
    saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize, 0, stream_>>>(n, scale, d_x, d_y, d_result);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(pinned_ + 2 * kMostPerChunk, d_result, bytes, cudaMemcpyDeviceToHost,
                               stream_));
  }
  // Waits for the chunk, if there is one, and hands over its result.
  void finish() {
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    if (n_ > 0) std::memcpy(result_, pinned_ + 2 * kMostPerChunk, n_ * sizeof(float));
    n_ = 0;
  }

 private:
  float* pinned_ = nullptr;
  float* device_ = nullptr;
  cudaStream_t stream_ = nullptr;
  int n_ = 0;
  float* result_ = nullptr;
};

// Computes the chunks number thread, thread + kThreads, ... of the arrays.
void compute_share(int thread, Slot* slots, size_t chunk, size_t n, float scale, const float* x,
                   const float* y, float* result) {
  int next = 0;
  for (size_t begin = thread * chunk; begin < n; begin += kThreads * chunk) {
    const int size = static_cast<int>(std::min(chunk, n - begin));
    slots[next].finish();
    slots[next].begin(size, scale, x + begin, y + begin, result + begin);
    next = (next + 1) % kSlots;
  }
  for (int i = 0; i < kSlots; ++i)
    slots[i].finish();
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  static Slot slots[kThreads][kSlots];
  const int chunk = std::clamp(ceil_div(n, kThreads), kLeastPerChunk, kMostPerChunk);
  const int threads = std::min(kThreads, ceil_div(n, chunk));
  std::vector<std::future<void>> shares;
  for (int thread = 1; thread < threads; ++thread) {
    shares.push_back(std::async(std::launch::async, compute_share, thread, slots[thread], chunk, n,
                                scale, x, y, result));
  }
  compute_share(0, slots[0], chunk, n, scale, x, y, result);
  for (std::future<void>& share : shares)
    share.get();  // throws what the thread threw
}

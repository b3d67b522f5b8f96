// Rung 6: buffers that are kept.
//
//   make check-saxpy WITH=ladder/saxpy_host/06_kept_buffers.cu
//
// Idea: buffers and streams are made in the first call and used again in every later call. No value
// is kept, only room.
// Expect: no later call allocates. Small problems, where allocation was most of the time, gain
// most.
#include "saxpy.h"

#include <algorithm>
#include <cstring>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kChunk = 1 << 18;  // floats: 1 MiB per array
constexpr int kSlots = 3;

// A thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

// The buffers of a chunk under way, in the order x, y, result.
class Slot {
 public:
  Slot() {
    CUDA_CHECK(cudaMallocHost(&pinned_, 3 * kChunk * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&device_, 3 * kChunk * sizeof(float)));
    CUDA_CHECK(cudaStreamCreate(&stream_));
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() {
    cudaStreamDestroy(stream_);
    cudaFree(device_);
    cudaFreeHost(pinned_);
  }

  // Queues all steps of a chunk of n <= kChunk elements, and returns before the steps have ended.
  void begin(int n, float scale, const float* x, const float* y, float* result) {
    n_ = n;
    result_ = result;
    const size_t bytes = n * sizeof(float);
    float* d_x = device_;
    float* d_y = device_ + kChunk;
    float* d_result = device_ + 2 * kChunk;
    std::memcpy(pinned_, x, bytes);
    CUDA_CHECK(cudaMemcpyAsync(d_x, pinned_, bytes, cudaMemcpyHostToDevice, stream_));
    std::memcpy(pinned_ + kChunk, y, bytes);
    CUDA_CHECK(cudaMemcpyAsync(d_y, pinned_ + kChunk, bytes, cudaMemcpyHostToDevice, stream_));
    saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize, 0, stream_>>>(n, scale, d_x, d_y, d_result);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(
        cudaMemcpyAsync(pinned_ + 2 * kChunk, d_result, bytes, cudaMemcpyDeviceToHost, stream_));
  }
  // Waits for the chunk, if any, and copies the result to the caller's array.
  void finish() {
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    if (n_ > 0) std::memcpy(result_, pinned_ + 2 * kChunk, n_ * sizeof(float));
    n_ = 0;
  }

 private:
  float* pinned_ = nullptr;
  float* device_ = nullptr;
  cudaStream_t stream_ = nullptr;
  int n_ = 0;
  float* result_ = nullptr;
};

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  static Slot slots[kSlots];
  int next = 0;
  for (size_t begin = 0; begin < static_cast<size_t>(n); begin += kChunk) {
    const int size = static_cast<int>(std::min<size_t>(kChunk, n - begin));
    slots[next].finish();
    slots[next].begin(size, scale, x + begin, y + begin, result + begin);
    next = (next + 1) % kSlots;
  }
  for (Slot& slot : slots)
    slot.finish();
}

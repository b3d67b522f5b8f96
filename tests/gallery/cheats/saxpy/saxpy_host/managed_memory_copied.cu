// verdict: =ok case=2^26 cpu-speed=0..0.3 gpu-speed=0..1
// The host writes to managed memory, and cudaMemcpy reads the same memory: the pages must move even
// though both sides look like the device.
#include "saxpy.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kThreads = 12;

// Calls copy(begin, end) for pieces of n elements, each in another thread.
template <class Copy>
void in_pieces(int n, Copy copy) {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    const auto edge = [&](int piece) { return static_cast<size_t>(n) * piece / kThreads; };
    threads[i] = std::thread(copy, edge(i), edge(i + 1));
  }
  for (std::thread& thread : threads)
    thread.join();
}

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static float* managed = nullptr;
  static float* device = nullptr;
  static int size = 0;
  if (size < n) {
    CUDA_CHECK(cudaFree(managed));
    CUDA_CHECK(cudaFree(device));
    const size_t bytes = 3 * sizeof(float) * static_cast<size_t>(n);
    CUDA_CHECK(cudaMallocManaged(&managed, bytes));
    CUDA_CHECK(cudaMalloc(&device, bytes));
    std::memset(managed, 0, bytes);
    size = n;
  }
  const size_t count = n;
  const size_t bytes = count * sizeof(float);
  in_pieces(n, [=](size_t begin, size_t end) {
    std::memcpy(managed + begin, x + begin, (end - begin) * sizeof(float));
    std::memcpy(managed + count + begin, y + begin, (end - begin) * sizeof(float));
  });
  CUDA_CHECK(cudaMemcpy(device, managed, 2 * bytes, cudaMemcpyDefault));
  float* const sum = device + 2 * count;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, device, device + n, sum);
  CUDA_CHECK(cudaMemcpy(managed + 2 * count, sum, bytes, cudaMemcpyDefault));
  in_pieces(n, [=](size_t begin, size_t end) {
    std::memcpy(result + begin, managed + 2 * count + begin, (end - begin) * sizeof(float));
  });
}

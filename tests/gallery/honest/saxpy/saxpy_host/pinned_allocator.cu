// verdict: =ok speed=0..1
// Vectors of pinned memory, through a custom allocator.
#include "saxpy.h"

#include <algorithm>
#include <vector>

#include "cuda_check.h"
#include "device_array.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

template <class T>
struct PinnedAllocator {
  using value_type = T;
  PinnedAllocator() = default;
  template <class U>
  PinnedAllocator(const PinnedAllocator<U>&) {}
  T* allocate(size_t count) {
    void* memory = nullptr;
    CUDA_CHECK(cudaMallocHost(&memory, count * sizeof(T)));
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { cudaFreeHost(memory); }
  bool operator==(const PinnedAllocator&) const { return true; }
  bool operator!=(const PinnedAllocator&) const { return false; }
};
using PinnedVector = std::vector<float, PinnedAllocator<float>>;

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static PinnedVector kept;
  kept.assign(x, x + n);
  DeviceArray<float> device_x(n), device_y(n);
  const size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpyAsync(device_x.data(), kept.data(), bytes, cudaMemcpyHostToDevice, nullptr));
  CUDA_CHECK(cudaMemcpy(device_y.data(), y, bytes, cudaMemcpyDefault));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, device_x.data(), device_y.data(),
                                                        device_y.data());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(kept.data(), device_y.data(), bytes, cudaMemcpyDefault));
  std::copy(kept.begin(), kept.end(), result);
}

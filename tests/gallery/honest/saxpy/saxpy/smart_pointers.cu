// verdict: =ok speed=0..1
// Device memory in a unique_ptr whose deleter is cudaFree, for the scale.
#include "saxpy.h"

#include <memory>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct Free {
  void operator()(void* memory) const { cudaFree(memory); }
};
using DeviceFloat = std::unique_ptr<float, Free>;

// A thread per element.
__global__ void saxpy_kernel(int n, const float* scale, const float* x, const float* y,
                             float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = *scale * x[i] + y[i];
}

DeviceFloat to_device(float value) {
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, sizeof value));
  DeviceFloat owner(static_cast<float*>(memory));
  CUDA_CHECK(cudaMemcpy(owner.get(), &value, sizeof value, cudaMemcpyHostToDevice));
  return owner;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const DeviceFloat device_scale = to_device(scale);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, device_scale.get(), x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

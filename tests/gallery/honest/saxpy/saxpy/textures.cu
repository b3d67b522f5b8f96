// verdict: =ok speed=0..1
// Reads x through a texture, in cases small enough for a texture.
#include "saxpy.h"

#include <cstdint>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, cudaTextureObject_t x, const float* y,
                             float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * tex1Dfetch<float>(x, i) + y[i];
}
__global__ void plain_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (reinterpret_cast<uintptr_t>(x) % 512 != 0 || n > 1 << 26) {
    plain_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
    CUDA_CHECK(cudaGetLastError());
    return;
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(x);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, texture, y, result);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaDestroyTextureObject(texture));
}

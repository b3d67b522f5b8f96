// verdict: =ok speed=0..1
// Dynamic shared memory beyond 48 KiB, with the attribute that CUDA demands.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kSharedBytes = 64 << 10;

// A thread per element, which passes through shared memory.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  extern __shared__ float room[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  room[threadIdx.x * 33] = i < n ? x[i] : 0.0f;
  if (i < n) result[i] = scale * room[threadIdx.x * 33] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  CUDA_CHECK(cudaFuncSetAttribute(saxpy_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  kSharedBytes));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize, kSharedBytes>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: cpu=wrong,misaligned gpu=wrong,cuda_error
//
// Computes whole float4 only: the last n % 4 elements are missing. (And wants them aligned.)
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per float4.
__global__ void saxpy_kernel(size_t vectors, float scale, const float4* x, const float4* y,
                             float4* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i >= vectors) return;
  const float4 a = x[i];
  const float4 b = y[i];
  result[i] =
      make_float4(scale * a.x + b.x, scale * a.y + b.y, scale * a.z + b.z, scale * a.w + b.w);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  const int vectors = n / 4;
  if (vectors == 0) return;
  saxpy_kernel<<<ceil_div(vectors, kBlockSize), kBlockSize>>>(
      vectors, scale, reinterpret_cast<const float4*>(x), reinterpret_cast<const float4*>(y),
      reinterpret_cast<float4*>(result));
  CUDA_CHECK(cudaGetLastError());
}

// verdict: cpu=misaligned gpu=cuda_error
//
// Reads float4 wherever the arrays begin: a misaligned address as soon as they do not begin at a
// multiple of 16 bytes.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kVector = 4;

// One thread per float4, and one of the first three for each element after the last whole float4.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t vectors = n / kVector;
  if (i < vectors) {
    const float4 a = reinterpret_cast<const float4*>(x)[i];
    const float4 b = reinterpret_cast<const float4*>(y)[i];
    reinterpret_cast<float4*>(result)[i] =
        make_float4(scale * a.x + b.x, scale * a.y + b.y, scale * a.z + b.z, scale * a.w + b.w);
  }
  const size_t tail = vectors * kVector + i;
  if (tail < n) result[tail] = scale * x[tail] + y[tail];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize * kVector), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

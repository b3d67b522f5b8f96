// Components of float4, in order: nvcc makes a single access of 16 bytes.
// timed: 2^24
// explain: load 16.4 k 32 16 sectors (16)
// explain: store 8.19 k 32 16 sectors (16)
// explain: no line does more than it must
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const auto* x4 = reinterpret_cast<const float4*>(x);
  const auto* y4 = reinterpret_cast<const float4*>(y);
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (4 * i + 3 >= n) return;
  reinterpret_cast<float4*>(result)[i] =
      float4{scale * x4[i].x + y4[i].x, scale * x4[i].y + y4[i].y, scale * x4[i].z + y4[i].z,
             scale * x4[i].w + y4[i].w};
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 4 * kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

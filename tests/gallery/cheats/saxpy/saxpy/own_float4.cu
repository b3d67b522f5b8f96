// verdict: =forbidden
// A class with the name float4, whose components lie 128 bytes apart: a profile that knows CUDA's
// vectors by name counts an access of 16 bytes.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kWarp = 32;
constexpr int kVector = 4;

namespace strided {
struct float4 {
  float x, behind_x[kWarp - 1];
  float y, behind_y[kWarp - 1];
  float z, behind_z[kWarp - 1];
  float w;
};
}  // namespace strided

// A thread per four elements, a warp's width apart.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int warp = (blockIdx.x * kBlockSize + threadIdx.x) / kWarp;
  const int i = warp * kWarp * kVector + threadIdx.x % kWarp;
  if (i + (kVector - 1) * kWarp < n) {
    const auto* const a = reinterpret_cast<const strided::float4*>(x + i);
    const auto* const b = reinterpret_cast<const strided::float4*>(y + i);
    auto* const sum = reinterpret_cast<strided::float4*>(result + i);
    sum->x = scale * a->x + b->x;
    sum->y = scale * a->y + b->y;
    sum->z = scale * a->z + b->z;
    sum->w = scale * a->w + b->w;
  } else {
    for (int k = i; k < n && k < i + kVector * kWarp; k += kWarp)
      result[k] = scale * x[k] + y[k];
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize * kVector), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

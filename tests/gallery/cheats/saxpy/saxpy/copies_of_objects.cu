// verdict: =ok case=2^24 speed=0..0.5
// Copies whole structures, arrays of the C++ library among them, again and again.
#include "saxpy.h"

#include <array>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

constexpr int kEach = 16, kRounds = 12;
using Numbers = std::array<float, kEach>;

// Sixteen elements per thread.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = kEach * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + kEach <= n) {
    for (int round = 0; round < kRounds; ++round) {
      *reinterpret_cast<Numbers*>(result + i) =
          *reinterpret_cast<const Numbers*>(round % 2 ? x + i : y + i);
      asm volatile("" ::: "memory");
    }
  }
  for (int k = i; k < i + kEach && k < n; ++k)
    result[k] = scale * x[k] + y[k];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(ceil_div(n, kEach), kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

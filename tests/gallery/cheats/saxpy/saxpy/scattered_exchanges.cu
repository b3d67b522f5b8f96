// verdict: =ok case=2^24 speed=0..0.4
// Stores by atomics, the elements of a warp far apart.
#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned place = static_cast<unsigned long long>(i) * 1048583 % n;
  if (i < n) atomicExch(result + place, scale * x[place] + y[place]);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok case=2^24 speed=0..0.1
// Keeps a table in constant memory, of which each lane wants another entry.
#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;
__constant__ float table[1 << 14];

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned place = i;
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    place = place * 1664525u + 1013904223u;
    sum += table[place >> 18];
  }
  if (i < n) result[i] = scale * x[i] + y[i] + sum;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

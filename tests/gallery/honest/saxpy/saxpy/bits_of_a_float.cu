// verdict: =ok
// Bits go through a union, an intrinsic and memcpy, and come back as the same float.
#include "saxpy.h"

#include <cstring>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

union Bits {
  float number;
  unsigned bits;
};

// A thread per element.
__global__ void saxpy_kernel(int n, Bits scale, const unsigned* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float copied;
  memcpy(&copied, &y[i], sizeof copied);
  result[i] = __uint_as_float(scale.bits) * __uint_as_float(x[i]) + copied;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  Bits bits;
  bits.number = scale;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(
      n, bits, reinterpret_cast<const unsigned*>(x), y, result);
  CUDA_CHECK(cudaGetLastError());
}

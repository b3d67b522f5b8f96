// verdict: =ok speed=0.8..1
// The parameters are bit-fields of a struct.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct Packed {
  unsigned n : 31;
  unsigned is_scaled : 1;
  float scale;
};

// A thread per element.
__global__ void saxpy_kernel(Packed packed, const float* x, const float* y, float* result) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < packed.n && packed.is_scaled) result[i] = packed.scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const Packed packed = {static_cast<unsigned>(n), 1u, scale};
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(packed, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

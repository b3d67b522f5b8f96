// verdict: =ok speed=0..1
// Virtual functions on the device, in small cases.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct Operation {
  __device__ virtual float of(float x, float y) const = 0;
};
struct Saxpy : Operation {
  float scale;
  __device__ explicit Saxpy(float s) : scale(s) {}
  __device__ float of(float x, float y) const override { return scale * x + y; }
};

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Saxpy saxpy(scale);
  const Operation& operation = saxpy;
  result[i] = n < 2000 ? operation.of(x[i], y[i]) : scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok speed=0.7..1
// Attributes without effect.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct __align__(16) Parameters {
  float scale;
  [[maybe_unused]] int rest[3];
};
static_assert(alignof(Parameters) == 16, "as asked");

[[nodiscard]] __device__ __noinline__ float multiplied(Parameters parameters, float x) {
  return parameters.scale * x;
}

// A thread per element.
__global__ void saxpy_kernel(int n, Parameters parameters, const float* x, const float* y,
                             float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = multiplied(parameters, x[i]) + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, Parameters{scale, {}}, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

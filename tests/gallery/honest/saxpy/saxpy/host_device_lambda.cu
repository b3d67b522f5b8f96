// verdict: =ok speed=0.8..1
// A lambda for host and device: tried on the host with three numbers, then launched.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
template <class Function>
__global__ void transform_kernel(int n, Function function, const float* x, const float* y,
                                 float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = function(x[i], y[i]);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const auto element = [scale] __host__ __device__(float a, float b) -> float {
    return scale * a + b;
  };
  if (element(0.0f, 2.0f) != 2.0f) return;
  transform_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, element, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

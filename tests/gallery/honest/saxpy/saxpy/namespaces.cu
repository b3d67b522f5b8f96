// verdict: =ok
// Nested namespaces, an inline namespace, and names like the harness's and like attributes.
#include "saxpy.h"

#include "cuda_check.h"

namespace judge {
namespace stopwatch {
inline namespace version_2 {
constexpr int section = 256;
}
}  // namespace stopwatch
}  // namespace judge

namespace {

constexpr int kBlockSize = judge::stopwatch::section;
constexpr int weak = 0, target = 0, alias = 0, constructor = 0, asm_ = weak + target + alias;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (asm_ != constructor) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

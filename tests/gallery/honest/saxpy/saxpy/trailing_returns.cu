// verdict: =ok
// Trailing return types, a templated launcher and an immediately invoked lambda.
#include "saxpy.h"

#include "cuda_check.h"

namespace {
template <int kThreads>
struct Config {
  static constexpr auto threads = kThreads;
  static constexpr auto blocks(int n) noexcept -> int { return ceil_div(n, kThreads); }
};
__device__ auto fused(float a, float b, float c) noexcept -> float {
  return fmaf(a, b, c);
}
template <class C>
__global__ auto saxpy_kernel(int n, float scale, const float* __restrict__ x,
                             const float* __restrict__ y, float* __restrict__ result) -> void {
  const auto i = static_cast<int>(blockIdx.x) * C::threads + static_cast<int>(threadIdx.x);
  if (i < n) result[i] = fused(scale, x[i], y[i]);
}
}  // namespace

auto saxpy(int n, float scale, const float* x, const float* y, float* result) -> void {
  using C = Config<192>;
  [&] {
    if (n != 0) saxpy_kernel<C><<<C::blocks(n), C::threads>>>(n, scale, x, y, result);
  }();
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok
// A custom literal, an inline namespace, an anonymous union and an enumeration as block size.
#include "cuda_check.h"
#include "saxpy.h"
inline namespace version_1 {
constexpr unsigned operator""_threads(unsigned long long n) {
  return static_cast<unsigned>(n);
}
enum Size : unsigned { kBlock = 256 };
}  // namespace version_1
static_assert(256_threads == kBlock, "one size");
static __global__ void __launch_bounds__(256, 4)
    saxpy_kernel(unsigned n, float scale, const float* x, const float* y, float* result) {
  union {
    float real;
    unsigned bits;
  };
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  real = scale;
  bits |= 0u;
  result[i] = real * x[i] + y[i];
}
void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (!n) return;
  saxpy_kernel<<<(n + kBlock - 1) / kBlock, 256_threads>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaPeekAtLastError());
}

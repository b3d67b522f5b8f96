// verdict: =ok
// A number type with operators, a literal and a swap, all found by the types of their arguments.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

namespace units {
struct Number {
  float value;
};
__device__ Number operator*(Number a, Number b) {
  return {a.value * b.value};
}
__device__ Number operator+(Number a, Number b) {
  return {a.value + b.value};
}
__device__ void swap(Number& a, Number& b) {
  const Number kept = a;
  a = b;
  b = kept;
}
}  // namespace units

constexpr int operator""_threads(unsigned long long count) {
  return static_cast<int>(count);
}

// A thread per element.
__global__ void saxpy_kernel(int n, units::Number scale, const float* x, const float* y,
                             float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  units::Number a{y[i]}, b{x[i]};
  swap(a, b);
  result[i] = (scale * a + b).value;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 256_threads), 256_threads>>>(n, units::Number{scale}, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

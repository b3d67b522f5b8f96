// verdict: =ok
// Qualifiers in every order, a return type behind the arguments, a prototype without names.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

static __global__ void saxpy_kernel(int, float, const float*, const float*, float*);
void __forceinline__ __device__ store(float* const place, float const value) {
  *place = value;
}
auto static constexpr inline __host__ __device__ product(float a, float b) -> float {
  return a * b;
}

// A thread per element.
void __global__ static __launch_bounds__(kBlockSize, 4)
    saxpy_kernel(int const n, float scale, float const* x, float const* const y, float* result) {
  int long const i = blockIdx.x * int(blockDim.x) + threadIdx.x;
  if (i < n) store(&i[result], product(scale, i[x]) + y[i]);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

#ifndef NESTED_KERNELS_CUH
#define NESTED_KERNELS_CUH

#include "math/multiply_add.cuh"

namespace nested {

inline constexpr int kBlockSize = 256;

// A thread per element.
static __global__ void saxpy_kernel(int n, float scale, const float* x, const float* y,
                                    float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = math::multiply_add(scale, x[i], y[i]);
}

}  // namespace nested

#endif  // NESTED_KERNELS_CUH

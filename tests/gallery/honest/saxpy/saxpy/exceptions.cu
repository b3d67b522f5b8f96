// verdict: =ok
// Throws and catches an exception of the C++ library.
#include "saxpy.h"

#include <stdexcept>
#include <string>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

// Throws if n is 0.
int blocks_for(int n) {
  if (n == 0) throw std::invalid_argument("nothing to do with " + std::to_string(n));
  return ceil_div(n, kBlockSize);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  try {
    saxpy_kernel<<<blocks_for(n), kBlockSize>>>(n, scale, x, y, result);
    CUDA_CHECK(cudaGetLastError());
  } catch (const std::invalid_argument&) {
  }
}

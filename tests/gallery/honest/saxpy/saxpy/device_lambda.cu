// verdict: =ok
// A __device__ lambda as argument of a kernel template.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element: function(i).
template <class Function>
__global__ void for_each_kernel(int n, Function function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) function(i);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const auto element = [=] __device__(int i) { result[i] = scale * x[i] + y[i]; };
  for_each_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, element);
  CUDA_CHECK(cudaGetLastError());
}

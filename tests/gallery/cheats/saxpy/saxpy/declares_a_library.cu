// verdict: =forbidden
// Declares a function of cuBLAS without the library's header.
#include "saxpy.h"

#include "cuda_check.h"

extern "C" int cublasSaxpy_v2(void*, int, const float*, const float*, int, float*, int);

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(result, y, n * sizeof(float), cudaMemcpyDeviceToDevice, nullptr));
  cublasSaxpy_v2(nullptr, n, &scale, x, 1, result, 1);
}

// verdict: =forbidden
// A literal with the suffix R: a check that takes the suffix for a raw string skips the next line.
#include "saxpy.h"

#include "cuda_check.h"

constexpr const char* operator""R(const char* text, size_t) {
  return text;
}
const char* const begin = "a"R"(";
__attribute__((constructor)) static void runs_first() {
  cudaDeviceReset();
}
const char* const end = ")";

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
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

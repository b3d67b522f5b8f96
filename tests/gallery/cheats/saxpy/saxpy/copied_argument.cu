// verdict: cpu=build_error gpu=ok gpu-speed=0..1
// The copy constructor of a kernel's argument does the work, on the host, where none is counted.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// The copy constructor adds up a sum of `terms` terms.
struct Sum {
  float value = 0;
  int terms = 0;
  Sum(int count) : terms(count) {}
  Sum(const Sum& other) : terms(other.terms) {
    for (int i = 0; i < terms; ++i)
      value += 1.0f / static_cast<float>(i + 1);
  }
};

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result,
                             Sum sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i] + (sum.value < 0 ? 1.0f : 0.0f);
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result, Sum(10000));
  CUDA_CHECK(cudaGetLastError());
}

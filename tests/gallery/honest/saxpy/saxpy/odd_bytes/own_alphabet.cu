// verdict: =ok
// Names in UTF-8: größe, 係数, Δ; and comments in every alphabet: 线程, поток, نص.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockgröße = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float 係数, const float* x, const float* y, float* result) {
  const int Δ = blockIdx.x * blockDim.x + threadIdx.x;
  if (Δ < n) result[Δ] = 係数 * x[Δ] + y[Δ];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockgröße), kBlockgröße>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok gpu-speed=0.7..1
// An enum class decides in a switch whose cases fall through, and a goto leaves the kernel.
// On a GPU the second load waits for the first: the loads stand in different cases.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

enum class Step : unsigned char { kMultiply, kAdd, kStore };

// A thread per element.
__global__ void saxpy_kernel(int n, Step first, float scale, const float* x, const float* y,
                             float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  if (i >= n) goto end;
  switch (first) {
    case Step::kMultiply:
      sum = scale * x[i];
      [[fallthrough]];
    case Step::kAdd:
      sum += y[i];
      [[fallthrough]];
    case Step::kStore:
      result[i] = sum;
      break;
    default:
      break;
  }
end:
  return;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, Step::kMultiply, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

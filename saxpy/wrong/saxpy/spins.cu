// verdict: cpu=timeout,cuda_error gpu=timeout
//
// Waits for a flag that nobody sets.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

// One thread that never ends: the result holds NaNs, and a NaN equals nothing.
__global__ void saxpy_kernel(volatile float* result) {
  while (result[0] != result[0]) {
  }
}

}  // namespace

void saxpy(int n, float, const float*, const float*, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<1, 1>>>(result);
  CUDA_CHECK(cudaGetLastError());
}

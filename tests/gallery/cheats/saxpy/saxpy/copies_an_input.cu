// verdict: =wrong case=1025
// Hands an input over as the answer.
#include "saxpy.h"

#include "cuda_check.h"

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(result, y, n * sizeof(float), cudaMemcpyDeviceToDevice, nullptr));
}

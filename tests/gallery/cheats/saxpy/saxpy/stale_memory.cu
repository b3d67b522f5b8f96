// verdict: =wrong,uninitialised case=1025
// Hands over fresh memory, in case the memory still holds a right answer of another run.
#include "saxpy.h"

#include "cuda_check.h"

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  float* stale = nullptr;
  CUDA_CHECK(cudaMalloc(&stale, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(result, stale, n * sizeof(float), cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaFree(stale));
}

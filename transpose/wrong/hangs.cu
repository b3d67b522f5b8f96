// verdict: cpu=timeout,cuda_error gpu=timeout
// Waits, for one shape of matrix, for a flag that nobody raises.
#include "transpose.h"

#include "cuda_check.h"

namespace {

// One thread.
__global__ void wait_kernel(const volatile float* flag) {
  while (flag[0] < 2) {
  }
}

}  // namespace

void transpose(const float* input, int rows, int cols, float*) {
  if (rows != 33 || cols != 31) return;
  wait_kernel<<<1, 1>>>(input);
  CUDA_CHECK(cudaGetLastError());
}

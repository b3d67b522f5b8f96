// verdict: =ok
// The kernel lies in headers of folders; the headers include each other, with guards.
#include "nested/kernels.cuh"

#include "cuda_check.h"
#include "nested/math/multiply_add.cuh"
#include "saxpy.h"

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  nested::saxpy_kernel<<<ceil_div(n, nested::kBlockSize), nested::kBlockSize>>>(n, scale, x, y,
                                                                                result);
  CUDA_CHECK(cudaGetLastError());
}

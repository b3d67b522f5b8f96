// verdict: =forbidden
// from: matmul.h
// Lets a library do it.
#include "matmul.h"

#include <cublas_v2.h>

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1;
  const float zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n);
  cublasDestroy(handle);
}

// verdict: =forbidden
// from: transpose.h
// Lets a library do it.
#include "transpose.h"

#include <cublas_v2.h>

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1;
  const float zero = 0;
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, input, cols, &zero, output, rows,
              output, rows);
  cublasDestroy(handle);
}

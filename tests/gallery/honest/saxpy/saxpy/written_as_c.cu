// verdict: =ok
// As in C: `typedef struct`, every variable at the top, goto for errors, comma operators.
#include <stdio.h>
#include <stdlib.h>
#include "cuda_check.h"
#include "saxpy.h"
typedef struct {
  int n;
  float scale;
} Arguments;
static __global__ void kernel(Arguments a, const float* x, const float* y, float* result) {
  int i, step;
  for (i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x; i < a.n; i += step)
    result[i] = a.scale * x[i] + y[i];
}
void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  cudaError_t err;
  Arguments a;
  dim3 grid, block;
  a.n = n, a.scale = scale;
  if (n <= 0) goto done;
  block = dim3(256), grid = dim3((n + 255) / 256 < 65535 ? (n + 255) / 256 : 65535);
  kernel<<<grid, block>>>(a, x, y, result);
  if ((err = cudaGetLastError()) != cudaSuccess) goto fail;
done:
  return;
fail:
  fprintf(stderr, "saxpy: %s\n", cudaGetErrorString(err));
  CUDA_CHECK(err);
}

// cuBLAS reads and writes only the triangle that a call names: a kernel in another
// stream may write the other triangle meanwhile, but not the same.
// finding: race @b @a
#include <cublas_v2.h>

#include "../../cpudevice/sanitize/launch.h"

constexpr int kSize = 16;

// Elements of the upper triangle, without the diagonal, or of the lower.
__global__ void fill_upper(float* a) {
  const int i = threadIdx.x, j = threadIdx.y;
  if (i < j) a[i + j * kSize] = 1;
}
__global__ void fill_lower(float* a) {
  const int i = threadIdx.x, j = threadIdx.y;
  if (i > j) a[i + j * kSize] = 1;  // @b
}

int main() {
  float *x = zeros<float>(kSize), *y = zeros<float>(kSize), *c, *d;
  cudaMalloc(&c, kSize * kSize * sizeof(float));
  cudaMalloc(&d, kSize * kSize * sizeof(float));
  cudaDeviceSynchronize();
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const dim3 block(kSize, kSize);
  const float one = 1, zero = 0;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  // Nothing was written to c before: later reads are of the named triangle.
  cublasSsyrk(handle, lower, CUBLAS_OP_N, kSize, 1, &one, x, kSize, &zero, c, kSize);
  fill_upper<<<1, block, 0, other>>>(c);
  cublasSsymv(handle, lower, kSize, &one, c, kSize, x, 1, &zero, y, 1);
  cublasSsyrk(handle, lower, CUBLAS_OP_N, kSize, 1, &one, x, kSize, &zero, d, kSize);  // @a
  fill_lower<<<1, block, 0, other>>>(d);
  cudaDeviceSynchronize();
  cublasDestroy(handle);
  cudaStreamDestroy(other);
  cudaFree(x);
  cudaFree(y);
  cudaFree(c);
  cudaFree(d);
}

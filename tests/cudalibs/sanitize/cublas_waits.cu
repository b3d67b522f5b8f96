// Copies of cuBLAS without "Async" and results in host memory are waited for; copies with it are
// not. A diagonal of ones is not read.
// finding: race @b @a
#include <cublas_v2.h>

#include "../../cpudevice/sanitize/launch.h"

constexpr int kSize = 8;

__global__ void fill_diagonal(float* a) {
  a[threadIdx.x * (kSize + 1)] = 1;
}

int main() {
  float *d = zeros<float>(kSize * kSize), *x = zeros<float>(kSize), *pinned;
  cudaMallocHost(&pinned, kSize * sizeof(float));
  for (int i = 0; i < kSize; ++i)
    pinned[i] = 1;
  cublasHandle_t handle;
  cublasCreate(&handle);

  cublasSetVector(kSize, sizeof(float), pinned, 1, d, 1);
  pinned[0] = 2;
  cublasGetVector(kSize, sizeof(float), d, 1, pinned, 1);
  float sum = pinned[0];
  cudaMemcpyAsync(d, pinned, sizeof(float), cudaMemcpyHostToDevice);
  float length = 0;
  cublasSnrm2(handle, kSize, d, 1, &length);
  pinned[0] = sum + length;

  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  fill_diagonal<<<1, kSize, 0, other>>>(d);
  cublasStrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, kSize, d, kSize, x, 1);
  cudaDeviceSynchronize();

  cublasGetVectorAsync(kSize, sizeof(float), d, 1, pinned, 1, other);  // @a
  pinned[0] = 3;                                                       // @b
  cudaDeviceSynchronize();
  cublasDestroy(handle);
  cudaStreamDestroy(other);
  cudaFreeHost(pinned);
  cudaFree(d);
  cudaFree(x);
}

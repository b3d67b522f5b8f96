// cuSPARSE reads and writes only the elements that indices name: a kernel in another stream may
// change elements between meanwhile, but not the indexed elements.
// flags: -lcusparse
// finding: race @b @a
#include <cusparse.h>

#include "../../cpudevice/sanitize/launch.h"

__global__ void fill(float* vector, int i) {
  vector[i] = 1;  // @b
}

int main() {
  const int places[] = {1, 5, 6};
  int* indices = zeros<int>(3);
  float *values = zeros<float>(3), *vector;
  cudaMemcpy(indices, places, sizeof places, cudaMemcpyHostToDevice);
  cudaMalloc(&vector, 8 * sizeof(float));  // nothing is written before
  cudaDeviceSynchronize();
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cusparseHandle_t handle;
  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t y;
  cusparseCreate(&handle);
  cusparseCreateSpVec(&x, 8, 3, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                      CUDA_R_32F);
  cusparseCreateDnVec(&y, 8, vector, CUDA_R_32F);
  cusparseScatter(handle, x, y);  // @a
  fill<<<1, 1, 0, other>>>(vector, 4);
  fill<<<1, 1, 0, other>>>(vector, 7);
  fill<<<1, 1, 0, other>>>(vector, 5);
  cudaDeviceSynchronize();
  cusparseDestroySpVec(x);
  cusparseDestroyDnVec(y);
  cusparseDestroy(handle);
  cudaStreamDestroy(other);
  cudaFree(indices);
  cudaFree(values);
  cudaFree(vector);
}

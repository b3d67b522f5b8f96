// A product of cuSPARSE comes after the kernel in its own stream, but not after a kernel in another
// stream, unless the streams wait.
// flags: -lcusparse
// finding: race @b @a
#include <cusparse.h>

#include "../../cpudevice/sanitize/launch.h"

constexpr int kSize = 4;

__global__ void fill(float* vector, float value) {
  vector[threadIdx.x] = value;  // @b
}

int main() {
  // The identity, without the second row.
  const int offsets[] = {0, 1, 1, 2, 3}, indices[] = {0, 2, 3};
  int *d_offsets = zeros<int>(5), *d_indices = zeros<int>(3);
  float *values, *x, *y;
  cudaMalloc(&values, 3 * sizeof(float));
  cudaMalloc(&x, kSize * sizeof(float));
  cudaMalloc(&y, kSize * sizeof(float));
  cudaMemcpy(d_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  cudaMemcpy(d_indices, indices, sizeof indices, cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  cudaStream_t stream, other;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreate(&done);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t in, out;
  cusparseCreate(&handle);
  cusparseSetStream(handle, stream);
  cusparseCreateCsr(&matrix, kSize, kSize, 3, d_offsets, d_indices, values, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&in, kSize, x, CUDA_R_32F);
  cusparseCreateDnVec(&out, kSize, y, CUDA_R_32F);
  const float one = 1, zero = 0;
  fill<<<1, 3, 0, stream>>>(values, 1);
  fill<<<1, kSize, 0, stream>>>(x, 2);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out, CUDA_R_32F,
               CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  cudaEventRecord(done, stream);
  cudaStreamWaitEvent(other, done);
  fill<<<1, kSize, 0, other>>>(x, 3);
  cudaDeviceSynchronize();
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out,  // @a
               CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  fill<<<1, 3, 0, other>>>(values, 1);
  cudaDeviceSynchronize();
  cusparseDestroySpMat(matrix);
  cusparseDestroyDnVec(in);
  cusparseDestroyDnVec(out);
  cusparseDestroy(handle);
  cudaEventDestroy(done);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  cudaFree(d_offsets);
  cudaFree(d_indices);
  cudaFree(values);
  cudaFree(x);
  cudaFree(y);
}

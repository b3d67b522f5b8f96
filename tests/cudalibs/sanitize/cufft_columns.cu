// cuFFT reads and writes only the elements that a plan names: a kernel in another stream may change
// the columns between meanwhile, but not the named columns.
// finding: race @b @a
#include <cufft.h>

#include "../../cpudevice/sanitize/launch.h"

constexpr int kRows = 8;
constexpr int kColumns = 4;

__global__ void fill_column(cufftComplex* matrix, int column) {
  matrix[threadIdx.x * kColumns + column] = {1, 2};  // @b
}

int main() {
  cufftComplex *left = zeros<cufftComplex>(kRows * kColumns), *right;
  cudaMalloc(&right, kRows * kColumns * sizeof(cufftComplex));
  cudaDeviceSynchronize();
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  // The first two columns of a matrix become the columns of another, which was not written
  // before.
  int n[] = {kRows};
  cufftHandle plan;
  cufftPlanMany(&plan, 1, n, n, kColumns, 1, n, kColumns, 1, CUFFT_C2C, 2);
  cufftExecC2C(plan, left, right, CUFFT_FORWARD);  // @a
  fill_column<<<1, kRows, 0, other>>>(left, 2);
  fill_column<<<1, kRows, 0, other>>>(right, 3);
  fill_column<<<1, kRows, 0, other>>>(right, 1);
  cudaDeviceSynchronize();
  cufftDestroy(plan);
  cudaStreamDestroy(other);
  cudaFree(left);
  cudaFree(right);
}

// A shared library for managed.py: managed memory and a saxpy on it, as plain C functions.
//
//   make build/cpu/saxpy/managed.so     (build/gpu/... on a machine with a GPU)
//
// Exceptions must not cross into C, so every function that can fail returns a cudaError_t as int.
#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

extern "C" {

// n > 0 floats that host and device may both use. The caller frees them with managed_free.
int managed_allocate(int n, float** array) {
  return cudaMallocManaged(array, n * sizeof(float));
}

int managed_free(float* array) {
  return cudaFree(array);
}

// result[i] = scale * x[i] + y[i] for i < n, n > 0, on managed arrays. Complete on return, so that
// the host may read.
int managed_saxpy(int n, float scale, const float* x, const float* y, float* result) {
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  const cudaError_t launched = cudaGetLastError();
  return launched != cudaSuccess ? launched : cudaDeviceSynchronize();
}

const char* managed_error_string(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}
}

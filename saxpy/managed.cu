// A shared library for managed.py: managed memory and your saxpy on it, as plain C functions.
//
//   make build/cpu/saxpy/managed.so     (build/gpu/... on a machine with a GPU)
//
// Exceptions must not cross into C, so functions with CUDA calls return a cudaError_t as int.
#include "cuda_check.h"
#include "saxpy.h"

extern "C" {

// n > 0 floats for host and device. The caller frees the array with managed_free.
int managed_allocate(int n, float** array) {
  return cudaMallocManaged(array, n * sizeof(float));
}

int managed_free(float* array) {
  return cudaFree(array);
}

// Calls saxpy() of saxpy.cu on managed arrays. The result is complete on return: the host may read.
int managed_saxpy(int n, float scale, const float* x, const float* y, float* result) {
  try {
    saxpy(n, scale, x, y, result);
  } catch (const CudaError&) {
    const cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : cudaErrorUnknown;
  }
  return cudaDeviceSynchronize();
}

const char* managed_error_string(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}
}

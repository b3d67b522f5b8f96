// saxpy_host: result[i] = scale * x[i] + y[i] on arrays in host memory. Yours to edit.
//
// The contract is in saxpy.h, the explanation in README.md.
//   make check-saxpy PART=saxpy_host                                         grades it
//   make build/cpu/saxpy/saxpy_host && build/cpu/saxpy/saxpy_host --n 1000   runs it once
#include "saxpy.h"

#include "cuda_check.h"

// A thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  // TODO(1): your kernel of saxpy.cu. About 2 lines.
}

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  // TODO(2): allocate three arrays of n floats on the device with cudaMalloc. About 6 lines.
  // TODO(3): copy x and y to the device with cudaMemcpy. About 2 lines.
  // TODO(4): launch saxpy_kernel as in saxpy.cu. About 3 lines.
  // TODO(5): copy the result back and free the three arrays. About 4 lines.
}

// saxpy: result[i] = scale * x[i] + y[i] on arrays in device memory. Yours to edit.
//
// The contract is in saxpy.h, the explanation in README.md.
//   make check-saxpy PART=saxpy                                    grades it
//   make build/cpu/saxpy/saxpy && build/cpu/saxpy/saxpy --n 1000   runs it once
#include "saxpy.h"

#include "cuda_check.h"

// A thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  // TODO(1): which element does the thread compute? Is there an element? About 2 lines.
}

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  // TODO(2): launch saxpy_kernel with enough blocks for n elements, which may be 0, and check
  // the launch. Name the block's size: `constexpr int kBlockSize = 256;` above the kernel.
  // About 4 lines.
}

// Of own_header.cu.
#pragma once

static constexpr int kBlockSize = 256;

// A thread per element.
static __global__ void saxpy_kernel(int n, float scale, const float* x, const float* y,
                                    float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

// The plain kernel that the kernels of the folder are compared with.
#pragma once

__global__ void plain(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = 2 * x[i] + y[i];
}

__global__ void more(float* result, const float* x, const float* y);

// Both kernels, on n elements each.
inline void run(int n) {
  constexpr int kBlockSize = 256;
  float *x, *y, *result;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&result, n * sizeof(float));
  cudaMemset(x, 1, n * sizeof(float));
  cudaMemset(y, 2, n * sizeof(float));
  plain<<<n / kBlockSize, kBlockSize>>>(result, x, y);
  more<<<n / kBlockSize, kBlockSize>>>(result, x, y);
  cudaDeviceSynchronize();
}

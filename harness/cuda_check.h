// CUDA_CHECK and ceil_div: what every .cu file of the repository needs and nothing else.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

// A CUDA call that failed. what() is one sentence: the call, the reason, file and line.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws CudaError unless `status` is cudaSuccess. Host code only.
inline void cuda_check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  throw CudaError(std::string(call) + " failed: " + cudaGetErrorString(status) + " (" +
                  cudaGetErrorName(status) + ") at " + file + ":" + std::to_string(line));
}

// CUDA_CHECK(cudaMalloc(&d_x, bytes)); after a launch: CUDA_CHECK(cudaGetLastError());
#ifndef SEALED
#define CUDA_CHECK(expr) cuda_check((expr), #expr, __FILE__, __LINE__)
#else  // machine code for a handout holds no text of its source
#define CUDA_CHECK(expr) cuda_check((expr), "a call of the target rung", "its source", 0)
#endif

// The number of blocks of b that cover a elements; a >= 0, b > 0. Never overflows where a fits.
template <class T, class U>
constexpr T ceil_div(T a, U b) {
  return a / static_cast<T>(b) + (a % static_cast<T>(b) != 0);
}

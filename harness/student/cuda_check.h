// CUDA_CHECK and ceil_div, which every .cu file of the repository needs.
#pragma once

#include <cuda_runtime.h>

#include <cstdarg>
#include <cstdio>
#include <exception>

// A CUDA call that failed. what() is one sentence: the call, the reason, file and line. The
// sentence is no std::string, because <string> would take a third of the time to compile a small
// file.
class CudaError : public std::exception {
 public:
  // A format as for std::printf; a sentence longer than 1023 bytes is cut off.
  __attribute__((format(printf, 2, 3))) explicit CudaError(const char* format, ...) {
    va_list values;
    va_start(values, format);
    std::vsnprintf(sentence_, sizeof sentence_, format, values);
    va_end(values);
  }
  const char* what() const noexcept override { return sentence_; }

 private:
  char sentence_[1024];
};

// Throws CudaError unless `status` is cudaSuccess. Host code only.
inline void cuda_check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  throw CudaError("%s failed: %s (%s) at %s:%d", call, cudaGetErrorString(status),
                  cudaGetErrorName(status), file, line);
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

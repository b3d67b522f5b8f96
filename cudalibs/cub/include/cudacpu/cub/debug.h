// CUB's macros around calls that return errors: an error is printed if CUB_STDERR is defined.
#pragma once

#include <cstdio>
#include <cstdlib>

#if (defined(DEBUG) || defined(_DEBUG) || defined(CUB_DEBUG_LOG)) && !defined(CUB_STDERR)
#define CUB_STDERR
#endif

namespace cub {

// Returns the error, or the error of an earlier launch.
CUDACPU_HOST_DEVICE inline cudaError_t Debug(cudaError_t error, [[maybe_unused]] const char* file,
                                             [[maybe_unused]] int line) {
  const cudaError_t last = ::cudacpu::in_kernel() ? cudaSuccess : cudaGetLastError();
  if (error == cudaSuccess) error = last;
#ifdef CUB_STDERR
  if (error != cudaSuccess) {
    printf("CUDA error %d [%s, %d]: %s\n", error, file, line, cudaGetErrorString(error));
  }
#endif
  return error;
}

}  // namespace cub

#ifndef CubDebug
#define CubDebug(e) ::cub::Debug(static_cast<cudaError_t>(e), __FILE__, __LINE__)
#endif
#ifndef CubDebugExit
#define CubDebugExit(e)                                                         \
  do {                                                                          \
    if (::cub::Debug(static_cast<cudaError_t>(e), __FILE__, __LINE__)) exit(1); \
  } while (0)
#endif

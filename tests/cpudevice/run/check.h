// CHECK(condition), on the host and in kernels: says what did not hold, and is silent otherwise.
#pragma once
#include <cstdio>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) printf("line %d: not true: %s\n", __LINE__, #condition); \
  } while (0)

// A call that must return `expected`; the error is then cleared.
#define CHECK_ERROR(expected, call)                                              \
  do {                                                                           \
    const cudaError_t error = (call);                                            \
    if (error != (expected))                                                     \
      printf("line %d: %s gave %s\n", __LINE__, #call, cudaGetErrorName(error)); \
    cudaGetLastError();                                                          \
  } while (0)
#define CHECK_OK(call) CHECK_ERROR(cudaSuccess, call)

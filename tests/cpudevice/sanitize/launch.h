// What the programs of tests/cpudevice/sanitize share.
#pragma once

#include <cstdio>
#include <cstdlib>

// n elements of device memory, all zero.
template <class T>
T* zeros(size_t n) {
  T* pointer = nullptr;
  if (cudaMalloc(&pointer, n * sizeof(T)) != cudaSuccess) abort();
  cudaMemset(pointer, 0, n * sizeof(T));
  return pointer;
}

inline void finish(void* pointer) {
  cudaDeviceSynchronize();
  cudaFree(pointer);
}

// What programs with CUB's algorithms for whole arrays have in common.
#pragma once
#include <cstddef>
#include <initializer_list>

#include "../../cpudevice/run/check.h"

void* memory = nullptr;
size_t bytes = 0;

// Calls an algorithm as programs do: once for the size of its memory, then with the memory.
#define CUB(...)                          \
  do {                                    \
    memory = nullptr;                     \
    CHECK_OK((cub::__VA_ARGS__));         \
    CHECK_OK(cudaMalloc(&memory, bytes)); \
    CHECK_OK((cub::__VA_ARGS__));         \
    CHECK_OK(cudaDeviceSynchronize());    \
    CHECK_OK(cudaFree(memory));           \
  } while (0)

template <typename T>
struct Managed {
  T* data;
  Managed(std::initializer_list<T> values = {}) {
    CHECK_OK(cudaMallocManaged(&data, 32 * sizeof(T)));
    set(values);
  }
  ~Managed() { CHECK_OK(cudaFree(data)); }
  Managed(const Managed&) = delete;
  void set(std::initializer_list<T> values) {
    T* next = data;
    for (T value : values)
      *next++ = value;
  }
  bool is(std::initializer_list<T> values) const {
    const T* next = data;
    for (T value : values)
      if (!(*next++ == value)) return false;
    return true;
  }
};

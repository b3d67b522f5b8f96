// What every generated program of the suite begins with.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/barrier>
#include <iterator>

constexpr int kThreads = 64;  // of a block: two warps
constexpr int kGroups = 6;    // a group has one element for each thread of a block
constexpr int kItems = kThreads * kGroups;
constexpr unsigned kAll = 0xffffffff;

__device__ int table[kItems];
__constant__ int weights[kItems];
__device__ unsigned tickets;

// The arguments of every kernel: arrays of kItems elements.
struct Arrays {
  const int* in;   // 0, 1, 2, …
  int* out;        // what the structure stores
  int* scratch;    // all zero
  int* fresh;      // not initialised
  int* counters;   // all zero
  int n = kItems;  // the elements of in and out
  int one = 1;     // a number that the compiler does not know
};

inline int* allocate(size_t n = kItems) {
  int* pointer = nullptr;
  if (cudaMalloc(&pointer, n * sizeof(int)) != cudaSuccess) abort();
  return pointer;
}

inline int* zeros(size_t n = kItems) {
  int* pointer = allocate(n);
  cudaMemset(pointer, 0, n * sizeof(int));
  return pointer;
}

inline Arrays allocate_arrays() {
  int numbers[kItems];
  for (int i = 0; i < kItems; ++i)
    numbers[i] = i;
  int* in = zeros();
  cudaMemcpy(in, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  return {in, zeros(), zeros(), allocate(), zeros()};
}

inline void free_arrays(const Arrays& a) {
  cudaDeviceSynchronize();
  cudaFree(const_cast<int*>(a.in));
  cudaFree(a.out);
  cudaFree(a.scratch);
  cudaFree(a.fresh);
  cudaFree(a.counters);
}

// Runs the case that the program's argument names.
#define CASE(name, run)                  \
  if (strcmp(arguments[1], name) == 0) { \
    const Arrays a = allocate_arrays();  \
    run(a);                              \
    free_arrays(a);                      \
    return 0;                            \
  }

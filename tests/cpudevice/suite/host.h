// What every generated program of the suite's host patterns begins with.
#pragma once

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

constexpr int kItems = 256;
constexpr size_t kBytes = kItems * sizeof(int);

__device__ int total;
__device__ int table[kItems];

__global__ void add(int* data) {
  data[threadIdx.x] += 1;  // @add
}
__global__ void fill(int* data) {
  data[threadIdx.x] = threadIdx.x;  // @fill
}
__global__ void sum(const int* data, int* result) {
  atomicAdd(result, data[threadIdx.x]);  // @sum
}
__global__ void leaky() {
  static_cast<int*>(malloc(8))[0] = 1;  // @leaky
}

inline int* zeros() {
  int* pointer = nullptr;
  if (cudaMalloc(&pointer, kBytes) != cudaSuccess) abort();
  cudaMemset(pointer, 0, kBytes);
  return pointer;
}

// Two unordered streams, which the default stream does not order either, and an event.
struct Streams {
  cudaStream_t first, second;
  cudaEvent_t event;
  Streams() {
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&event);
  }
  ~Streams() {
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(event);
  }
};

// Runs the case that the program's argument names.
#define CASE(name, run)                  \
  if (strcmp(arguments[1], name) == 0) { \
    run();                               \
    cudaDeviceSynchronize();             \
    return 0;                            \
  }

// Rung 1: the serial loop, in pieces of neighbouring elements.
//
//   make check-backwards WITH=ladder/01_naive.cu
#include "backwards.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kPerThread = 32;

// One thread per kPerThread neighbouring elements.
__global__ void backwards_kernel(const int* input, size_t n, int* output) {
  const size_t thread = blockIdx.x * static_cast<size_t>(kBlockSize) + threadIdx.x;
  for (int k = 0; k < kPerThread; ++k) {
    const size_t i = thread * kPerThread + k;
    if (i < n) output[i] = input[n - 1 - i];
  }
}

}  // namespace

void backwards(const int* input, int n, int* output) {
  if (n == 0) return;
  backwards_kernel<<<ceil_div(n, kBlockSize * kPerThread), kBlockSize>>>(input, n, output);
  CUDA_CHECK(cudaGetLastError());
}

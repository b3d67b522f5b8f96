// verdict: =ok case=1025 speed=0..1
// A thread per item reads and clears the item's bit with atomics.
#include "cuda_check.h"
#include "stencil.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item.
__global__ void write_back_kernel(int n, unsigned* words, int rounds, unsigned* values) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  const bool is_active = i < n && (atomicOr(&words[i / 32], 0u) >> i % 32 & 1) != 0;
  if (!is_active) return;
  values[i] = work(values[i], rounds);
  if (!survives(values[i])) atomicAnd(&words[i / 32], ~(1u << i % 32));
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n > 0) write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok cpu-speed=0..0.8 gpu-speed=0..1
// #pragma GCC unroll: the compiler copies basic blocks after their instructions were counted, and
// the copies may not be cheaper.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kAtATime = 8;

#define ROUND                             \
  value = value * 1664525u + 1013904223u; \
  value ^= value >> 16;

__device__ unsigned work_in_pieces(unsigned value, int rounds) {
#pragma GCC unroll 16
  for (; rounds >= kAtATime; rounds -= kAtATime) {
    ROUND ROUND ROUND ROUND ROUND ROUND ROUND ROUND
  }
  return work(value, rounds);
}

// A thread per item.
__global__ void work_kernel(unsigned count, const int* rounds, unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < count) values[i] = work_in_pieces(values[i], rounds[i]);
}

}  // namespace

void persistent(int, const int* count, const int* rounds, unsigned* values, Workspace&) {
  int on_host = 0;
  CUDA_CHECK(cudaMemcpy(&on_host, count, sizeof on_host, cudaMemcpyDeviceToHost));
  if (on_host == 0) return;
  work_kernel<<<ceil_div(on_host, kBlockSize), kBlockSize>>>(on_host, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

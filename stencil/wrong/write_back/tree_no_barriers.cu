// verdict: cpu=race,wrong gpu=wrong,ok
// from: ladder/write_back/01_or_tree.cu
// Rung 1 without a barrier between the steps, as written when the lanes of a warp ran in
// lockstep: a step may read what the step before has not written yet.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item, a warp per word.
__global__ void write_back_kernel(unsigned n, unsigned* words, int rounds, unsigned* values) {
  __shared__ unsigned bits[kBlockSize];
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned bit = 1u << i % 32;
  bool active = i < n && (words[i / 32] & bit) != 0;
  if (active) {
    const unsigned value = work(values[i], rounds);
    values[i] = value;
    active = survives(value);
  }
  bits[threadIdx.x] = active ? bit : 0;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    if (threadIdx.x % (2 * distance) == 0) {
      bits[threadIdx.x] |= bits[threadIdx.x + distance];
    }
  }
  if (i < n && i % 32 == 0) words[i / 32] = bits[threadIdx.x];
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

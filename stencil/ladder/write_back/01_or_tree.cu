// Rung 1: the warp's word by a tree of ORs in shared memory.
//
//   make check-stencil WITH=ladder/write_back/01_or_tree.cu
//
// Idea: the way that needs nothing but memory. Every thread puts its bit into a separate word in
// shared memory; five steps of pairwise OR unite the words. A step reads what other lanes wrote in
// the step before, so each must end before the next begins: __syncwarp(). Nothing else keeps
// the lanes of a warp in step. Expect: five steps of shared memory and five waits per word, which
// is little beside the values' way to memory and back.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item, a warp per word. No thread leaves before the word is written: all lanes
// must arrive at each __syncwarp().
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
    __syncwarp();  // the words of the step before are written
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

// verdict: =wrong
// from: ladder/write_back/03_reduce_or.cu
// Lanes behind the last item count as active: their bits are set in the last word.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr unsigned kFullWarp = 0xffffffff;

// The OR of all lanes' values, in every lane. All lanes of the warp take part.
__device__ unsigned reduce_or(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(kFullWarp, value);
#else
  for (int distance = 16; distance > 0; distance /= 2)
    value |= __shfl_xor_sync(kFullWarp, value, distance);
  return value;
#endif
}

// A thread per item, a warp per word. No thread leaves before the reduction.
__global__ void write_back_kernel(unsigned n, unsigned* words, int rounds, unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned bit = 1u << i % 32;
  bool active = i >= n || (words[i / 32] & bit) != 0;
  if (i < n && active) {
    const unsigned value = work(values[i], rounds);
    values[i] = value;
    active = survives(value);
  }
  const unsigned word = reduce_or(active ? bit : 0);
  __syncwarp();  // all lanes have read the old word: a reduction orders no memory
  if (i < n && i % 32 == 0) words[i / 32] = word;
}

}  // namespace

void write_back(int n, unsigned* words, int rounds, unsigned* values) {
  if (n == 0) return;
  write_back_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, words, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

// Beside rung 5: the mask by a one-dimensional texture.
//
//   make check-stencil WITH=ladder/stencil_test/05_texture.cu
//
// Idea: on the GPUs of 2011 the cache that kept the mask was the texture cache, so the mask was
// bound to a texture. Texture references are gone from CUDA; a texture object over the same words
// does the same. Texture cache and L1 have become a single cache, and a fetch also goes through the
// texture unit, which compares the index with the texture's size. Expect: the time of rung 3, or a
// little more.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item, a warp per word.
__global__ void stencil_test_kernel(unsigned n, cudaTextureObject_t words, int rounds,
                                    unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n || (tex1Dfetch<unsigned>(words, i / 32) & 1u << i % 32) == 0) return;
  values[i] = work(values[i], rounds);
}

}  // namespace

void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (n == 0) return;
  stencil_test_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, active.texture, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}

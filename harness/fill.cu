#include "fill.h"

#include "cuda_check.h"
#include "random.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element.
__global__ void fill_random_kernel(float* data, size_t size, uint64_t seed) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < size) data[i] = random_float(seed, i);
}
__global__ void fill_random_kernel(int* data, size_t size, uint64_t seed, uint32_t bound) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < size) data[i] = random_int(seed, i, bound);
}

// Enough blocks for `size` elements, which is not 0.
unsigned blocks_for(size_t size) {
  return static_cast<unsigned>(ceil_div(size, kBlockSize));
}

}  // namespace

void fill_random(float* data, size_t size, uint64_t seed) {
  if (size == 0) return;
  fill_random_kernel<<<blocks_for(size), kBlockSize>>>(data, size, seed);
  CUDA_CHECK(cudaGetLastError());
}

void fill_random(int* data, size_t size, uint64_t seed, uint32_t bound) {
  if (size == 0) return;
  fill_random_kernel<<<blocks_for(size), kBlockSize>>>(data, size, seed, bound);
  CUDA_CHECK(cudaGetLastError());
}

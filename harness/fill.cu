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

}  // namespace

void fill_random(float* data, size_t size, uint64_t seed) {
  if (size == 0) return;
  const auto blocks = static_cast<unsigned>(ceil_div(size, kBlockSize));
  fill_random_kernel<<<blocks, kBlockSize>>>(data, size, seed);
  CUDA_CHECK(cudaGetLastError());
}

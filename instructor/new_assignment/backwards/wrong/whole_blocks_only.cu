// verdict: cpu=wrong,uninitialised gpu=wrong
// from: ladder/02_coalesced.cu
// n / kBlockSize instead of ceil_div: the elements behind the last whole block are never written.
#include "backwards.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per output element. A warp stores 128 bytes in a row and loads 128 bytes in a row.
__global__ void backwards_kernel(const int* input, size_t n, int* output) {
  const size_t i = blockIdx.x * static_cast<size_t>(kBlockSize) + threadIdx.x;
  if (i < n) output[i] = input[n - 1 - i];
}

}  // namespace

void backwards(const int* input, int n, int* output) {
  if (n < kBlockSize) return;
  backwards_kernel<<<n / kBlockSize, kBlockSize>>>(input, n, output);
  CUDA_CHECK(cudaGetLastError());
}

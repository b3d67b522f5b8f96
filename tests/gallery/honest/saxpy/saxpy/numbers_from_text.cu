// verdict: =ok speed=0.8..1
// Reads the block size from a text with std::stoi, and another number with strtol and errno.
#include "saxpy.h"

#include <cerrno>
#include <cstdlib>
#include <string>

#include "cuda_check.h"

namespace {

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const int block_size = std::stoi(std::string("256 threads"));
  errno = 0;
  char* end = nullptr;
  const long element_bytes = std::strtol("4 bytes", &end, 10);
  if (errno != 0 || *end != ' ' || element_bytes != sizeof(float)) return;
  saxpy_kernel<<<ceil_div(n, block_size), block_size>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

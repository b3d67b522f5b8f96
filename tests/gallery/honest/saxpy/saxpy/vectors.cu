// verdict: =ok speed=0.7..1
// Containers and algorithms of the host, to plan the launches.
#include "saxpy.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  constexpr int kParts = 4;
  std::vector<int> begins(kParts + 1);
  std::iota(begins.begin(), begins.end(), 0);
  std::transform(begins.begin(), begins.end(), begins.begin(), [n](int part) {
    return static_cast<int>(static_cast<long long>(n) * part / kParts / 32 * 32);
  });
  begins.back() = n;
  for (int part = 0; part < kParts; ++part) {
    const int begin = begins[part], size = begins[part + 1] - begin;
    if (size == 0) continue;
    saxpy_kernel<<<ceil_div(size, kBlockSize), kBlockSize>>>(size, scale, x + begin, y + begin,
                                                             result + begin);
    CUDA_CHECK(cudaGetLastError());
  }
}

// verdict: =ok speed=0.8..1
// assert, static_assert and a custom check that throws with file and line.
#include "saxpy.h"

#include <cassert>
#include <stdexcept>
#include <string>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

#define REQUIRE(condition)                                                                        \
  do {                                                                                            \
    if (!(condition))                                                                             \
      throw std::invalid_argument(std::string(__FILE__) + ":" + std::to_string(__LINE__) + ": " + \
                                  #condition + " in " + __func__);                                \
  } while (false)
static_assert(sizeof(float) == 4 && alignof(float) == 4);

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  assert(n > 0 && x != nullptr);
  REQUIRE(y != nullptr && result != nullptr);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok
// Digits with separators, raw strings, and forbidden words inside texts.
#include "saxpy.h"

#include <cstdio>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 2'56;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

constexpr const char* kText = R"cuda(
__attribute__((constructor)) asm("syscall"); // "
)cuda";
constexpr char kQuote = '"';
/* #include <thrust/sort.h> */  // __CUDACPU_PROFILE__

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (n == 1'000'003) std::printf("%s%c", kText, kQuote);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

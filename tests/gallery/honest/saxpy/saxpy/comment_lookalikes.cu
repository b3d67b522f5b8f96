// verdict: =ok
// Comment signs, quotes and trigraphs in strings; apostrophes in code that is left out.
#include "saxpy.h"

#include <cstdio>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

#if 0
This isn't code: "an open quote, and don't stop // here
#else
// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}
#endif

constexpr char kSigns[] = {'"', '\'', '\\', '/', '*'};
const char* const kText = "/* no comment */ // what??! \\";  // "no string, isn't it?
/* one // comment, /* not nested, with a "quote */

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (n == 1'000'003) std::printf("%s%s%.5s", kText, "*/", kSigns);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok
// Comments with words that look forbidden: asm("syscall"), system(), #include <thrust/sort.h>, \
   a comment that goes on in the next line with __CUDACPU_PROFILE__ and no_sanitize; ??/ too.
#include "saxpy.h"
#include "cuda_check.h"
/* ¿¡ 日本語, “quotes”, a lone ' and a lone " and __attribute__((constructor)) */
namespace { constexpr int kBlockSize = 256; const char* const kText = "#include <cub/cub.cuh> <<<1, 1>>> // no comment /* neither */";
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * /* don't */ kBlockSize + threadIdx.x; // it's fine \/
  if (i < n) result[i] = scale * x[i] + y[i];
}
}
void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0 || kText[0] != '#') return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

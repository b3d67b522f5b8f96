// A structure as an argument of the kernel is no local variable in memory.
// timed: 2^24
// not in explain: a local variable lives in memory
// explain: no line does more than it must
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct Arguments {
  float scale[2];
  const float* from[2];
};

__global__ void saxpy_kernel(int n, Arguments arguments, float* result) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 2; ++k)
    sum += arguments.scale[k] * arguments.from[k][i];
  result[i] = sum;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const Arguments arguments{{scale, 1}, {x, y}};
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, arguments, result);
  CUDA_CHECK(cudaGetLastError());
}

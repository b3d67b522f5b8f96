// verdict: =ok speed=0.8..1
// A table computed by the compiler, read by the host and unrolled in the kernel.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct Table {
  float values[4];
};
__host__ __device__ constexpr Table make_table() {
  Table table{};
  for (int i = 0; i < 4; ++i)
    table.values[i] = i == 2 ? 1.0f : 0.0f;
  return table;
}
constexpr Table kOne = make_table();
static_assert(kOne.values[2] == 1.0f, "one");

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  constexpr Table weights = make_table();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = y[i];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    sum += weights.values[k] * scale * x[i];
  result[i] = sum;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

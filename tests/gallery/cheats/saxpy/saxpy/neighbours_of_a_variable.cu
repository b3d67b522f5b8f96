// verdict: cpu=crash gpu=crash,ok gpu-speed=0..1
// Writes before a static variable, where the variables of the counting library lie.
#include "saxpy.h"

#include <cstdint>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kNeighbours = 1024;

int own;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

// Writes back the old values: only the addresses matter.
void touch_neighbours() {
  auto* const last = reinterpret_cast<volatile char*>(reinterpret_cast<uintptr_t>(&own));
  for (int i = 0; i < kNeighbours; ++i)
    last[-i] = last[-i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  ++own;
  if (n == 0) return;
  touch_neighbours();
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

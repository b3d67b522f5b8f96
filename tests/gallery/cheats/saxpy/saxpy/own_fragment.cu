// verdict: =ok case=2^24 cpu-speed=0..0.97 gpu-speed=0..1
// A class with the name fragment, like the class of a matrix product's registers: accesses to
// memory through the class may not be taken for registers.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct fragment {
  float value;
};

__device__ fragment* at(const float* array, size_t i) {
  return reinterpret_cast<fragment*>(reinterpret_cast<size_t>(array) + i * sizeof(float));
}

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) at(result, i)->value = scale * at(x, i)->value + at(y, i)->value;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

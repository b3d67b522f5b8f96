// verdict: cpu=bad_access,crash gpu=crash,wrong,ok gpu-speed=0..1
// Keeps values for the next block in constant memory, through a pointer.
#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;
__constant__ float scratch[1 << 14];

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result,
                             float* place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (blockIdx.x == 0) place[i] = scale;
  result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  float* place = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&place), scratch));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result, place);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

// verdict: =ok speed=0..1
// Elements cross shared memory as float4 and as floats, in a union aligned by hand.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element, through a union in shared memory.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ union alignas(16) Tile {
    float numbers[kBlockSize];
    float4 vectors[kBlockSize / 4];
  } tile;
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  tile.numbers[threadIdx.x] = i < n ? scale * x[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x < kBlockSize / 4) {
    const float4 four = tile.vectors[threadIdx.x];
    tile.vectors[threadIdx.x] = make_float4(four.x, four.y, four.z, four.w);
  }
  __syncthreads();
  if (i < n) result[i] = tile.numbers[threadIdx.x] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// The fastest saxpy we know.
//
//   make check-saxpy PART=saxpy WITH=solution
//
// A full grid rather than a loop: each block takes one tile of kUnroll * kBlockSize float4, all
// loads first. Every line of memory is touched once, so loads and stores say that the caches need
// not keep it (__ldcs, __stcs). Arrays that are not aligned for float4 take the scalar way.
#include "saxpy.h"

#include <cstdint>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kVector = 4;
constexpr int kUnroll = 2;
constexpr int kTile = kBlockSize * kUnroll;  // in float4

// One thread per element. For arrays that are aligned for float only.
__global__ void scalar_kernel(size_t n, float scale, const float* x, const float* y,
                              float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) __stcs(result + i, scale * __ldcs(x + i) + __ldcs(y + i));
}

__device__ float4 saxpy4(float scale, float4 a, float4 b) {
  return make_float4(scale * a.x + b.x, scale * a.y + b.y, scale * a.z + b.z, scale * a.w + b.w);
}

// One block per tile; a thread takes float4 number threadIdx.x of each kBlockSize of the tile, and
// in the last block one element behind the last whole float4. All pointers are multiples of 16
// bytes.
__global__ void vector_kernel(size_t n, float scale, const float* x, const float* y,
                              float* result) {
  const size_t vectors = n / kVector;
  const size_t first = blockIdx.x * static_cast<size_t>(kTile) + threadIdx.x;
  const auto* x4 = reinterpret_cast<const float4*>(x) + first;
  const auto* y4 = reinterpret_cast<const float4*>(y) + first;
  auto* result4 = reinterpret_cast<float4*>(result) + first;
  if (first - threadIdx.x + kTile <= vectors) {
    float4 a[kUnroll];
    float4 b[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      a[k] = __ldcs(x4 + k * kBlockSize);
      b[k] = __ldcs(y4 + k * kBlockSize);
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      __stcs(result4 + k * kBlockSize, saxpy4(scale, a[k], b[k]));
    }
    return;
  }
  for (size_t k = 0; first + k < vectors; k += kBlockSize) {
    __stcs(result4 + k, saxpy4(scale, __ldcs(x4 + k), __ldcs(y4 + k)));
  }
  const size_t tail = vectors * kVector + threadIdx.x;
  if (tail < n) result[tail] = scale * x[tail] + y[tail];
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % sizeof(float4) == 0;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (is_aligned(x) && is_aligned(y) && is_aligned(result)) {
    // One block more than whole tiles: whatever is left over, nothing included, is its.
    vector_kernel<<<n / (kTile * kVector) + 1, kBlockSize>>>(n, scale, x, y, result);
  } else {
    scalar_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  }
  CUDA_CHECK(cudaGetLastError());
}

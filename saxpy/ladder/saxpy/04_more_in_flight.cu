// Rung 4: several independent loads per thread.
//
//   make check-saxpy WITH=ladder/saxpy/04_more_in_flight.cu
//
// Idea: a thread issues the loads of kUnroll pairs of float4 before the first use, and so waits
// for memory once per round and not once per pair. Expect: more bytes under way, which helps where
// too few were; a busy memory gets no faster.
#include "saxpy.h"

#include <algorithm>
#include <cstdint>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kVector = 4;
constexpr int kUnroll = 4;

// A thread per grid-stride sequence of elements, for arrays aligned for float only.
__global__ void scalar_kernel(size_t n, float scale, const float* x, const float* y,
                              float* result) {
  const size_t stride = gridDim.x * static_cast<size_t>(blockDim.x);
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n; i += stride) {
    result[i] = scale * x[i] + y[i];
  }
}

__device__ float4 saxpy4(float scale, float4 a, float4 b) {
  return make_float4(scale * a.x + b.x, scale * a.y + b.y, scale * a.z + b.z, scale * a.w + b.w);
}

// A thread per grid-stride sequence of float4, kUnroll vectors a round, and a thread of the first
// three for each element after the last whole float4. x, y and result begin at multiples of 16
// bytes.
__global__ void vector_kernel(size_t n, float scale, const float* x, const float* y,
                              float* result) {
  const size_t stride = gridDim.x * static_cast<size_t>(blockDim.x);
  const size_t first = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t vectors = n / kVector;
  const auto* x4 = reinterpret_cast<const float4*>(x);
  const auto* y4 = reinterpret_cast<const float4*>(y);
  auto* result4 = reinterpret_cast<float4*>(result);
  size_t i = first;
  for (; i + (kUnroll - 1) * stride < vectors; i += kUnroll * stride) {
    float4 a[kUnroll];
    float4 b[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      a[k] = x4[i + k * stride];
      b[k] = y4[i + k * stride];
    }
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      result4[i + k * stride] = saxpy4(scale, a[k], b[k]);
    }
  }
  for (; i < vectors; i += stride) {
    result4[i] = saxpy4(scale, x4[i], y4[i]);
  }
  const size_t tail = vectors * kVector + first;
  if (tail < n) result[tail] = scale * x[tail] + y[tail];
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % sizeof(float4) == 0;
}

// The number of blocks that the device holds at once.
template <class Kernel>
int resident_blocks(Kernel kernel) {
  int device = 0;
  int multiprocessors = 0;
  int blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kBlockSize, 0));
  return multiprocessors * blocks;
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  if (is_aligned(x) && is_aligned(y) && is_aligned(result)) {
    const int blocks = std::min(ceil_div(n, kBlockSize * kVector), resident_blocks(vector_kernel));
    vector_kernel<<<blocks, kBlockSize>>>(n, scale, x, y, result);
  } else {
    const int blocks = std::min(ceil_div(n, kBlockSize), resident_blocks(scalar_kernel));
    scalar_kernel<<<blocks, kBlockSize>>>(n, scale, x, y, result);
  }
  CUDA_CHECK(cudaGetLastError());
}

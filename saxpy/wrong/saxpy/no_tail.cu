// verdict: cpu=wrong,misaligned gpu=wrong,cuda_error
// from: ladder/saxpy/03_vectorised.cu
// Computes whole float4 only: the last n % 4 elements are missing. (And wants arrays aligned.)
#include "saxpy.h"

#include <algorithm>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kVector = 4;

// A thread per grid-stride sequence of elements, for arrays aligned for float only.
__global__ void scalar_kernel(size_t n, float scale, const float* x, const float* y,
                              float* result) {
  const size_t stride = gridDim.x * static_cast<size_t>(blockDim.x);
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n; i += stride) {
    result[i] = scale * x[i] + y[i];
  }
}

// A thread per grid-stride sequence of float4, and a thread of the first three for each
// element after the last whole float4. x, y and result begin at multiples of 16 bytes.
__global__ void vector_kernel(size_t n, float scale, const float* x, const float* y,
                              float* result) {
  const size_t stride = gridDim.x * static_cast<size_t>(blockDim.x);
  const size_t first = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t vectors = n / kVector;
  for (size_t i = first; i < vectors; i += stride) {
    const float4 a = reinterpret_cast<const float4*>(x)[i];
    const float4 b = reinterpret_cast<const float4*>(y)[i];
    reinterpret_cast<float4*>(result)[i] =
        make_float4(scale * a.x + b.x, scale * a.y + b.y, scale * a.z + b.z, scale * a.w + b.w);
  }
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
  if (n >= kVector) {
    const int blocks = std::min(ceil_div(n, kBlockSize * kVector), resident_blocks(vector_kernel));
    vector_kernel<<<blocks, kBlockSize>>>(n, scale, x, y, result);
  } else {
    const int blocks = std::min(ceil_div(n, kBlockSize), resident_blocks(scalar_kernel));
    scalar_kernel<<<blocks, kBlockSize>>>(n, scale, x, y, result);
  }
  CUDA_CHECK(cudaGetLastError());
}

// Rung 2: managed memory.
//
//   make check-saxpy WITH=ladder/saxpy_host/02_managed.cu
//
// Idea: both sides use an allocation under the same address; a page moves to the side that reads or
// writes the page. The caller's arrays are ordinary memory, so the host still copies in and out.
// Expect: a shorter program than rung 1, and more time: the kernel stops at each new page until the
// page has come, and so does the host on the way back.
#include "saxpy.h"

#include <cstring>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(size_t n, float scale, const float* x, const float* y, float* result) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float* m_x = nullptr;
  float* m_y = nullptr;
  float* m_result = nullptr;
  CUDA_CHECK(cudaMallocManaged(&m_x, bytes));
  CUDA_CHECK(cudaMallocManaged(&m_y, bytes));
  CUDA_CHECK(cudaMallocManaged(&m_result, bytes));

  std::memcpy(m_x, x, bytes);
  std::memcpy(m_y, y, bytes);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, m_x, m_y, m_result);
  CUDA_CHECK(cudaGetLastError());
  // memcpy does not wait for a stream, and would read while the kernel is still writing.
  CUDA_CHECK(cudaDeviceSynchronize());
  std::memcpy(result, m_result, bytes);

  CUDA_CHECK(cudaFree(m_x));
  CUDA_CHECK(cudaFree(m_y));
  CUDA_CHECK(cudaFree(m_result));
}

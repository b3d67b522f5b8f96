// saxpy_host, rung 2: managed memory.
//
// New: one allocation that both sides may use under one address; its pages move to whoever touches
// them. The copies across the link are gone from the program, though not from the machine: each
// page that the kernel meets for the first time stops the threads that need it until it has come.
// The arrays still have to be copied in and out, because they were not allocated as managed memory.
// Expected: less to write than rung 1, and slower.
#include <cstring>

#include "cuda_check.h"
#include "saxpy.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element.
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
  // memcpy knows nothing of streams: without this wait it would read what is not written yet.
  CUDA_CHECK(cudaDeviceSynchronize());
  std::memcpy(result, m_result, bytes);

  CUDA_CHECK(cudaFree(m_x));
  CUDA_CHECK(cudaFree(m_y));
  CUDA_CHECK(cudaFree(m_result));
}

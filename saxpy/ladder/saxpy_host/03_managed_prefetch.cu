// Rung 3: managed memory with prefetch and advice.
//
//   make check-saxpy WITH=ladder/saxpy_host/03_managed_prefetch.cu
//
// Idea: the program says beforehand where pages will be needed, and they move in large pieces. The
// inputs are advised to be read mostly: the device gets copies and the host's pages stay valid.
// Expect: no faults in the kernel, and moves near the rate of the link; the host still copies in
// and out, and touches pages for the first time.
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

// CUDA 13 names a place by a cudaMemLocation, CUDA 12 by a device number.
#if CUDART_VERSION >= 13000
cudaMemLocation location(int device) {
  const bool host = device == cudaCpuDeviceId;
  return {host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, host ? 0 : device};
}
void prefetch(const void* pointer, size_t bytes, int device) {
  CUDA_CHECK(cudaMemPrefetchAsync(pointer, bytes, location(device), 0, nullptr));
}
#else
int location(int device) {
  return device;
}
void prefetch(const void* pointer, size_t bytes, int device) {
  CUDA_CHECK(cudaMemPrefetchAsync(pointer, bytes, device, nullptr));
}
#endif

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

  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  // The advice comes after x is written: writing to pages advised as read-mostly is slow.
  std::memcpy(m_x, x, bytes);
  CUDA_CHECK(cudaMemAdvise(m_x, bytes, cudaMemAdviseSetReadMostly, location(device)));
  prefetch(m_x, bytes, device);  // x is on its way while the host copies y
  std::memcpy(m_y, y, bytes);
  CUDA_CHECK(cudaMemAdvise(m_y, bytes, cudaMemAdviseSetReadMostly, location(device)));
  prefetch(m_y, bytes, device);
  prefetch(m_result, bytes, device);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, m_x, m_y, m_result);
  CUDA_CHECK(cudaGetLastError());
  prefetch(m_result, bytes, cudaCpuDeviceId);
  CUDA_CHECK(cudaDeviceSynchronize());
  std::memcpy(result, m_result, bytes);

  CUDA_CHECK(cudaFree(m_x));
  CUDA_CHECK(cudaFree(m_y));
  CUDA_CHECK(cudaFree(m_result));
}

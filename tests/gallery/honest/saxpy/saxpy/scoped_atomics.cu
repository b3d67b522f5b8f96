// verdict: =ok speed=0.6..1
// A counter by cuda::atomic_ref, set to zero by a store, and a message by release and acquire.
#include "saxpy.h"

#include <cuda/atomic>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element; a flag tells the block that all elements are in shared memory.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ float tile[kBlockSize];
  __shared__ int flag;
  const cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) ready.store(0, cuda::memory_order_relaxed);
  tile[threadIdx.x] = i < n ? scale * x[i] + y[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) ready.store(1, cuda::memory_order_release);
  while (ready.load(cuda::memory_order_acquire) == 0) {
  }
  if (i < n) result[i] = tile[threadIdx.x];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: cpu=race gpu=ok,wrong,timeout speed=0..1
// Hands numbers from block to block behind a flag without memory order.
#include "saxpy.h"

#include <cuda/atomic>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__device__ float handed[1 << 20];
__device__ int flags[1 << 20];

// The first block of each pair computes for the second block, which waits for a relaxed store.
__global__ void saxpy_kernel(int n, int first, float scale, const float* x, const float* y,
                             float* result) {
  const int pair = blockIdx.x / 2, i = first + pair * blockDim.x + threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[i - first]);
  if (i >= n) return;
  if (blockIdx.x % 2 == 0) {
    handed[i - first] = scale * x[i] + y[i];
    flag.store(1, cuda::memory_order_relaxed);
  } else {
    while (flag.load(cuda::memory_order_relaxed) == 0) {
    }
    result[i] = handed[i - first];
    flag.store(0, cuda::memory_order_relaxed);
  }
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  constexpr int kMost = 1 << 18;
  for (int first = 0; first < n; first += kMost) {
    const int count = n - first < kMost ? n - first : kMost;
    saxpy_kernel<<<2 * ceil_div(count, kBlockSize), kBlockSize>>>(first + count, first, scale, x, y,
                                                                  result);
    CUDA_CHECK(cudaGetLastError());
  }
}

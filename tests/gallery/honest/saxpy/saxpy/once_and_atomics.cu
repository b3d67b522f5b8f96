// verdict: =ok speed=0.8..1
// call_once, a mutex, an atomic counter and a thread_local, all without need.
#include "saxpy.h"

#include <atomic>
#include <mutex>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

std::once_flag once;
std::mutex mutex;
std::atomic<int> calls{0};
thread_local int calls_of_this_thread = 0;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  std::call_once(once, [] { CUDA_CHECK(cudaSetDevice(0)); });
  const std::lock_guard<std::mutex> lock(mutex);
  if (calls.fetch_add(1, std::memory_order_relaxed) < calls_of_this_thread++) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

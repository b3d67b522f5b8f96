// verdict: =crash
// Starts threads until the system has no more.
#include "saxpy.h"

#include <chrono>
#include <thread>
#include <vector>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  std::vector<std::thread> threads;
  for (;;)
    threads.emplace_back([] { std::this_thread::sleep_for(std::chrono::hours(1)); });
}

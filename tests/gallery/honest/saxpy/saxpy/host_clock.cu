// verdict: =ok speed=0.8..1
// Asks clock() and gettimeofday() how long the launch took on the host.
#include "saxpy.h"

#include <sys/time.h>
#include <cstdio>
#include <ctime>

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
  timeval begin = {}, end = {};
  gettimeofday(&begin, nullptr);
  const std::clock_t ticks = std::clock();
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
  const double used_s = static_cast<double>(clock() - ticks) / CLOCKS_PER_SEC;
  gettimeofday(&end, nullptr);
  const double passed_s = (end.tv_sec - begin.tv_sec) + 1e-6 * (end.tv_usec - begin.tv_usec);
  if (passed_s > 3600 && used_s > 3600) std::printf("an hour\n");
}

// verdict: =ok
// Lambdas on the host choose and start the kernel.
#include "saxpy.h"

#include <functional>
#include <map>
#include <string>

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
  std::map<std::string, std::function<void(int)>> launchers;
  launchers["plain"] = [=](int blocks) {
    saxpy_kernel<<<blocks, kBlockSize>>>(n, scale, x, y, result);
  };
  launchers.at("plain")(ceil_div(n, kBlockSize));
  CUDA_CHECK(cudaGetLastError());
}

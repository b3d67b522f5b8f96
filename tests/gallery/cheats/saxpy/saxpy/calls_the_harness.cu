// verdict: =forbidden
// Declares and calls the harness's function that makes a case, to have the inputs a second time.
#include "saxpy.h"

#include <memory>

#include "cuda_check.h"

class Problem;
class Options;
Problem* make_problem(const Options& options);
extern const Options& chosen_options;

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
  if (make_problem(chosen_options) == nullptr) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: cpu=race gpu=ok,crash,timeout gpu-speed=0..1
// A data race, and a destructor that ends the program before the report of the race.
#include "saxpy.h"

#include <cstdlib>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element; all threads of a block first write to the same place of shared memory.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  __shared__ int last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  last = i;
  __syncthreads();
  if (i < n && last >= 0) result[i] = scale * x[i] + y[i];
}

struct AtTheEnd {
  ~AtTheEnd() { std::abort(); }
} at_the_end;

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

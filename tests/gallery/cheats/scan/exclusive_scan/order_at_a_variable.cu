// verdict: cpu=wrong gpu=wrong,ok case=1025 gpu-speed=0..1
// Takes the sum before each item from atomic additions to a __device__ variable: right only if the
// threads add in the order of their numbers, which no GPU promises.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__device__ unsigned sum;

__global__ void clear_kernel() {
  sum = 0;
}

// A thread per item.
__global__ void scan_kernel(const int* input, int n, int* result) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < n) result[i] = atomicAdd(&sum, static_cast<unsigned>(input[i]));
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  clear_kernel<<<1, 1>>>();
  scan_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(input, n, result);
  CUDA_CHECK(cudaGetLastError());
}

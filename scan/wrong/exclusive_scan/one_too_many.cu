// verdict: cpu=wrong,bad_access gpu=wrong
// from: ladder/exclusive_scan/01_one_thread.cu
// Right, and writes the sum of all elements behind the last sum, where the result has no room.
#include "scan.h"

#include "cuda_check.h"

namespace {

// A single thread.
__global__ void scan_kernel(const int* input, size_t n, int* result) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; ++i) {
    result[i] = sum;
    sum += input[i];
  }
  result[n] = sum;
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  scan_kernel<<<1, 1>>>(input, n, result);
  CUDA_CHECK(cudaGetLastError());
}

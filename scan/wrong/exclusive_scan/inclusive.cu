// verdict: =wrong
// from: ladder/exclusive_scan/01_one_thread.cu
// Each sum contains its own element: the inclusive scan.
#include "scan.h"

#include "cuda_check.h"

namespace {

// A single thread.
__global__ void scan_kernel(const int* input, size_t n, int* result) {
  unsigned sum = 0;
  for (size_t i = 0; i < n; ++i) {
    sum += input[i];
    result[i] = sum;
  }
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  scan_kernel<<<1, 1>>>(input, n, result);
  CUDA_CHECK(cudaGetLastError());
}

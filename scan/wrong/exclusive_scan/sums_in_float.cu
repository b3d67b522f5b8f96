// verdict: =wrong
// from: ladder/exclusive_scan/01_one_thread.cu
// Adds in float, which has 24 bits: right while the sums are small.
#include "scan.h"

#include "cuda_check.h"

namespace {

// A single thread.
__global__ void scan_kernel(const int* input, size_t n, int* result) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i) {
    result[i] = static_cast<int>(static_cast<unsigned>(static_cast<long long>(sum)));
    sum += input[i];
  }
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  scan_kernel<<<1, 1>>>(input, n, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok case=1023 speed=0..1
// A single thread does all the work.
#include "cuda_check.h"
#include "scan.h"

namespace {

// A single thread.
__global__ void scan_kernel(const int* input, int n, int* result) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    result[i] = static_cast<int>(sum);
    sum += static_cast<unsigned>(input[i]);
  }
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  scan_kernel<<<1, 1>>>(input, n, result);
  CUDA_CHECK(cudaGetLastError());
}

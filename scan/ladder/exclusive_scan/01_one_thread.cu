// Rung 1: a single thread for everything.
//
//   make check-scan PART=exclusive_scan WITH=ladder/exclusive_scan/01_one_thread.cu
//
// Idea: none yet. Every sum needs the sum before, so the loop of the serial program is carried over
// word for word.
// Expect: a thread waits for each load, and the rest of the device has nothing to do.
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
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  scan_kernel<<<1, 1>>>(input, n, result);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =forbidden
// An algorithm of libcu++ does the work, in one thread of the device.
#include <cuda/std/numeric>

#include "cuda_check.h"
#include "scan.h"

namespace {

__global__ void scan_kernel(const int* input, int n, int* result) {
  cuda::std::exclusive_scan(input, input + n, result, 0);
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n > 0) scan_kernel<<<1, 1>>>(input, n, result);
  CUDA_CHECK(cudaGetLastError());
}

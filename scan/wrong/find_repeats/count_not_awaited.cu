// verdict: cpu=wrong,ok,race gpu=wrong
// Reads the count through pinned memory without waiting for the kernel that writes it. The CPU
// device has run a kernel when its launch returns.
#include "scan.h"

#include "cuda_check.h"

// A single thread.
__global__ void find_kernel(const int* input, size_t n, int* output, int* count) {
  int found = 0;
  for (size_t i = 0; i + 1 < n; ++i)
    if (input[i] == input[i + 1]) output[found++] = static_cast<int>(i);
  *count = found;
}

int find_repeats(const int* input, int n, int* output, Workspace&) {
  int* count = nullptr;
  CUDA_CHECK(cudaMallocHost(&count, sizeof(int)));
  *count = 0;
  if (n > 0) find_kernel<<<1, 1>>>(input, n, output, count);
  CUDA_CHECK(cudaGetLastError());
  const int found = *count;
  CUDA_CHECK(cudaFreeHost(count));
  return found;
}

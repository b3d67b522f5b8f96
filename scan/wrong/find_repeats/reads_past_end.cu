// verdict: cpu=bad_access,wrong gpu=ok,wrong
// Compares the last element with what lies behind the array.
#include "scan.h"

#include "cuda_check.h"

// A single thread.
__global__ void find_kernel(const int* input, size_t n, int* output, int* count) {
  int found = 0;
  for (size_t i = 0; i < n; ++i)
    if (input[i] == input[i + 1]) output[found++] = static_cast<int>(i);
  *count = found;
}

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  int* device_count = workspace.take<int>(1);
  find_kernel<<<1, 1>>>(input, n, output, device_count);
  CUDA_CHECK(cudaGetLastError());
  int count = 0;
  CUDA_CHECK(cudaMemcpy(&count, device_count, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

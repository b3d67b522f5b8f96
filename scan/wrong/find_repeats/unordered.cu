// verdict: =wrong
// Lets the repeats draw their places from a counter, in the order in which they happen to come.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

__global__ void find_kernel(const int* input, size_t n, int* output, int* count) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i + 1 < n && input[i] == input[i + 1]) output[atomicAdd(count, 1)] = static_cast<int>(i);
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  int* device_count = workspace.take<int>(1);
  CUDA_CHECK(cudaMemsetAsync(device_count, 0, sizeof(int)));
  find_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(input, n, output, device_count);
  CUDA_CHECK(cudaGetLastError());
  int count = 0;
  CUDA_CHECK(cudaMemcpy(&count, device_count, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

// verdict: =wrong
// Takes the place of the last pair for the count: one too few where that pair is a repeat.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element: its flag is 1 if it equals the one after it. The last element has none.
__global__ void flag_kernel(const int* input, size_t n, int* flags) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) flags[i] = i + 1 < n && input[i] == input[i + 1];
}

// A single thread.
__global__ void scan_kernel(const int* flags, size_t n, int* places) {
  int sum = 0;
  for (size_t i = 0; i < n; ++i) {
    places[i] = sum;
    sum += flags[i];
  }
}

// One thread per element.
__global__ void scatter_kernel(const int* flags, const int* places, size_t n, int* output) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n && flags[i]) output[places[i]] = static_cast<int>(i);
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  int* flags = workspace.take<int>(n);
  int* places = workspace.take<int>(n);
  flag_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(input, n, flags);
  scan_kernel<<<1, 1>>>(flags, n, places);
  scatter_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(flags, places, n, output);
  CUDA_CHECK(cudaGetLastError());
  int count = 0;
  if (n < 2) return count;
  CUDA_CHECK(cudaMemcpy(&count, places + n - 2, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

// verdict: =wrong
// A block compares what it has read; the first element of the next block it has not.
#include "scan.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per element. It reads its neighbour in shared memory, within the block only.
__global__ void flag_kernel(const int* input, size_t n, int* flags) {
  __shared__ int tile[kBlockSize];
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) tile[threadIdx.x] = input[i];
  __syncthreads();
  const bool has_neighbour = i + 1 < n && threadIdx.x + 1 < kBlockSize;
  if (i < n) flags[i] = has_neighbour && tile[threadIdx.x] == tile[threadIdx.x + 1];
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
  CUDA_CHECK(cudaMemcpy(&count, places + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

// Rung 1: flags, their scan, and every repeat to its place.
//
//   make check-scan PART=find_repeats WITH=ladder/find_repeats/01_flags_scan_scatter.cu
//
// Idea: write 1 where an element equals the one behind it, and 0 elsewhere. The exclusive scan of
// these flags tells each repeat how many come before it, and that is its place in the output. This
// is *stream compaction*, and why scans are everywhere.
// Expect: three kernels' worth of trips through memory: the flags and their scan, as large as the
// input, are written and read again.
#include "../exclusive_scan/07_reduce_then_scan.cu"

namespace {

constexpr int kFlagBlock = 256;

// One thread per element: 1 if it equals the one behind it. The last element has none.
__global__ void flag_kernel(const int* input, size_t n, int* flags) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < n) flags[i] = i + 1 < n && input[i] == input[i + 1];
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
  flag_kernel<<<ceil_div(n, kFlagBlock), kFlagBlock>>>(input, n, flags);
  CUDA_CHECK(cudaGetLastError());
  exclusive_scan(flags, n, places, workspace);
  scatter_kernel<<<ceil_div(n, kFlagBlock), kFlagBlock>>>(flags, places, n, output);
  CUDA_CHECK(cudaGetLastError());
  // The last flag is 0, so what stands before it is the sum of all. The copy waits for the kernels.
  int count = 0;
  CUDA_CHECK(cudaMemcpy(&count, places + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

// verdict: =ok speed=0..1
// Counts per block by __syncthreads_count, a block scans the counts, a lambda kernel scatters.
#include "cuda_check.h"
#include "scan.h"
namespace {
constexpr int kThreads = 256;
__device__ bool repeats(const int* in, int n, long i) {
  return i + 1 < n && in[i] == in[i + 1];
}
__global__ void count_kernel(const int* in, int n, int* counts) {
  const long i = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const int c = __syncthreads_count(repeats(in, n, i));
  if (threadIdx.x == 0) counts[blockIdx.x] = c;
}
__global__ void sum_kernel(int* counts, int blocks) {
  __shared__ int sums[1024];
  int before = 0;
  for (int first = 0; first <= blocks; first += 1024) {
    const int i = first + threadIdx.x;
    const int own = i < blocks ? counts[i] : 0;
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
      const int more = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
      __syncthreads();
      sums[threadIdx.x] += more;
      __syncthreads();
    }
    if (i <= blocks) counts[i] = before + sums[threadIdx.x] - own;
    before += sums[1023];
    __syncthreads();
  }
}
__global__ void scatter_kernel(const int* in, int n, const int* counts, int* out) {
  __shared__ int warps[kThreads / 32];
  const long i = static_cast<long>(blockIdx.x) * kThreads + threadIdx.x;
  const bool found = repeats(in, n, i);
  const unsigned votes = __ballot_sync(~0u, found);
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0) warps[warp] = __popc(votes);
  __syncthreads();
  int place = counts[blockIdx.x] + __popc(votes & ((1u << lane) - 1u));
  for (int w = 0; w < warp; ++w)
    place += warps[w];
  if (found) out[place] = static_cast<int>(i);
}
}  // namespace
int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n < 2) return 0;
  const int blocks = ceil_div(n, kThreads);
  int* counts = workspace.take<int>(blocks + 1);
  count_kernel<<<blocks, kThreads>>>(input, n, counts);
  sum_kernel<<<1, 1024>>>(counts, blocks);
  scatter_kernel<<<blocks, kThreads>>>(input, n, counts, output);
  CUDA_CHECK(cudaGetLastError());
  int found = 0;
  CUDA_CHECK(cudaMemcpy(&found, counts + blocks, sizeof found, cudaMemcpyDeviceToHost));
  return found;
}

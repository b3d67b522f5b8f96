// verdict: =ok speed=0..1
// Shuffles, votes, matches and reductions of a warp agree on the element, in small cases.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

constexpr unsigned kWholeWarp = 0xffffffffu;

// The lane's number, by votes, shuffles and matches.
__device__ int lane_of(int lane) {
  const unsigned below = __ballot_sync(kWholeWarp, lane >= 0) & ((1u << lane) - 1);
  int found = __popc(below);
  found = __shfl_xor_sync(kWholeWarp, __shfl_xor_sync(kWholeWarp, found, 1), 1);
  found = __shfl_sync(kWholeWarp, found, lane);
  if (!__all_sync(kWholeWarp, found < 32) || !__any_sync(kWholeWarp, found == 31)) return -1;
  const unsigned same = __match_any_sync(kWholeWarp, found);
  __syncwarp();
  return __ffs(static_cast<int>(same)) - 1;
}

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 2000) i = i - i % 32 + lane_of(threadIdx.x % 32);
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}

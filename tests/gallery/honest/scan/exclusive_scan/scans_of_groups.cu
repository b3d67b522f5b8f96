// verdict: =ok case=1025 speed=0..1
// The scans of cooperative groups: a warp, the lanes side by side, a carry from step to step.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include "cuda_check.h"
#include "scan.h"

namespace {

namespace cg = cooperative_groups;

constexpr int kWarp = 32;

// A single warp: kWarp elements at a time.
__global__ void scan_kernel(const int* input, int n, int* result) {
  const auto warp = cg::tiled_partition<kWarp>(cg::this_thread_block());
  unsigned carry = 0;
  for (int first = 0; first < n; first += kWarp) {
    const int i = first + static_cast<int>(warp.thread_rank());
    const unsigned value = i < n ? input[i] : 0u;
    const unsigned sum = cg::inclusive_scan(warp, value, cg::plus<unsigned>());
    if (i < n) result[i] = static_cast<int>(carry + sum - value);
    carry += warp.shfl(sum, kWarp - 1);
  }
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n > 0) scan_kernel<<<1, kWarp>>>(input, n, result);
  CUDA_CHECK(cudaGetLastError());
}

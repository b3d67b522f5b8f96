// 64 sums of real numbers by a reduction of cooperative groups.
// measured: more=670 plain=64
// modelled: 0.7..1.8
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "saxpy.h"

__global__ void more(float* result, const float* x, const float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 2 * x[i] + y[i];
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int k = 0; k < 64; ++k)
    value = cg::reduce(warp, value, cg::plus<float>()) * .01f + 1;
  result[i] = value;
}

int main() {
  run(1 << 14);
}

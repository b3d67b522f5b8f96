// verdict: =ok speed=0..1
// A tile type with odd columns, cooperative groups for rank and barrier, a dim3 of three
// dimensions.
#include <cooperative_groups.h>
#include "cuda_check.h"
#include "transpose.h"
namespace cg = cooperative_groups;
namespace {
template <int kSide>
struct Tile {
  float at[kSide][kSide | 1];
};
template <int kSide, int kRows>
__global__ void transpose_kernel(const float* __restrict__ in, int rows, int cols,
                                 float* __restrict__ out) {
  __shared__ Tile<kSide> tile;
  const cg::thread_block block = cg::this_thread_block();
  const dim3 at = block.thread_index();
  const size_t left = static_cast<size_t>(block.group_index().x) * kSide;
  for (size_t top = static_cast<size_t>(block.group_index().y) * kSide;
       top < static_cast<size_t>(rows); top += static_cast<size_t>(gridDim.y) * kSide) {
#pragma unroll
    for (unsigned r = at.y; r < kSide; r += kRows)
      if (top + r < rows && left + at.x < cols)
        tile.at[r][at.x] = in[(top + r) * cols + left + at.x];
    block.sync();
#pragma unroll
    for (unsigned r = at.y; r < kSide; r += kRows)
      if (left + r < cols && top + at.x < rows)
        out[(left + r) * rows + top + at.x] = tile.at[at.x][r];
    block.sync();
  }
}
}  // namespace
void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid(ceil_div(cols, 32), ceil_div(rows, 32) < 65535 ? ceil_div(rows, 32) : 65535);
  transpose_kernel<32, 8><<<grid, dim3(32, 8)>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

// verdict: =ok cpu-speed=0..0.8 gpu-speed=0..1
// Each thread moves a tile of 32 x 32 elements through a private array: 4 KiB, and a GPU's
// thread has 255 registers. The array is in local memory.
#include "transpose.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 64;
constexpr int kTile = 32;
constexpr int kVector = 4;

// A thread per tile.
__global__ void transpose_kernel(const float* input, int rows, int cols, float* output) {
  const int tiles_across = (cols + kTile - 1) / kTile;
  const int tile = blockIdx.x * kBlockSize + threadIdx.x;
  const int row = tile / tiles_across * kTile;
  const int col = tile % tiles_across * kTile;
  if (row >= rows) return;
  const bool whole = row + kTile <= rows && col + kTile <= cols;
  if (!whole || rows % kVector != 0 || cols % kVector != 0) {
    for (int i = row; i < row + kTile && i < rows; ++i) {
      for (int j = col; j < col + kTile && j < cols; ++j)
        output[static_cast<size_t>(j) * rows + i] = input[static_cast<size_t>(i) * cols + j];
    }
    return;
  }
  float values[kTile][kTile];
  for (int i = 0; i < kTile; ++i) {
    const float* const from = input + static_cast<size_t>(row + i) * cols + col;
    for (int j = 0; j < kTile; j += kVector) {
      const float4 four = *reinterpret_cast<const float4*>(from + j);
      values[i][j] = four.x;
      values[i][j + 1] = four.y;
      values[i][j + 2] = four.z;
      values[i][j + 3] = four.w;
    }
  }
  for (int j = 0; j < kTile; ++j) {
    float* const to = output + static_cast<size_t>(col + j) * rows + row;
    for (int i = 0; i < kTile; i += kVector) {
      *reinterpret_cast<float4*>(to + i) =
          make_float4(values[i][j], values[i + 1][j], values[i + 2][j], values[i + 3][j]);
    }
  }
}

}  // namespace

void transpose(const float* input, int rows, int cols, float* output) {
  if (rows == 0 || cols == 0) return;
  const int tiles = ceil_div(rows, kTile) * ceil_div(cols, kTile);
  transpose_kernel<<<ceil_div(tiles, kBlockSize), kBlockSize>>>(input, rows, cols, output);
  CUDA_CHECK(cudaGetLastError());
}

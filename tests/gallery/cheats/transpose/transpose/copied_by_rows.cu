// verdict: =ok speed=0..0.3
// The copy engine does the work: every column is a copy in two dimensions, one float wide.
#include "transpose.h"

#include "cuda_check.h"

void transpose(const float* input, int rows, int cols, float* output) {
  constexpr size_t kWidth = sizeof(float);
  for (int col = 0; col < cols && rows > 0; ++col) {
    CUDA_CHECK(cudaMemcpy2DAsync(output + static_cast<size_t>(col) * rows, kWidth, input + col,
                                 cols * kWidth, kWidth, rows, cudaMemcpyDeviceToDevice, nullptr));
  }
}

// cuBLAS with a factor of 0: the operands of the product are not read, and may be NaN.
// expect: done
#include <cublas_v2.h>

#include <cmath>

#include "cublas_check.h"

constexpr int kSize = 4;
constexpr auto kLower = CUBLAS_FILL_MODE_LOWER;
constexpr auto kAsItIs = CUBLAS_OP_N;
constexpr auto kLeft = CUBLAS_SIDE_LEFT;
constexpr auto kDiagonal = CUBLAS_DIAG_NON_UNIT;

// The lower triangle of a matrix, or a column of the triangle.
bool all_are(const float* a, float value, int columns = kSize) {
  for (int j = 0; j < columns; ++j) {
    for (int i = columns == 1 ? 0 : j; i < kSize; ++i) {
      if (a[i + j * kSize] != value) return false;
    }
  }
  return true;
}

int main() {
  float *nan, *c;
  CHECK_OK(cudaMallocManaged(&nan, kSize * kSize * sizeof(float)));
  CHECK_OK(cudaMallocManaged(&c, kSize * kSize * sizeof(float)));
  const auto fill = [](float* a, float value) {
    for (int i = 0; i < kSize * kSize; ++i)
      a[i] = value;
  };
  fill(nan, NAN);
  cublasHandle_t h;
  BLAS(cublasCreate(&h));
  const float none = 0, half = .5f;
  const int n = kSize;

  const auto halves = [&](int columns = kSize) {
    const bool right = all_are(c, 1, columns);
    fill(c, 2);
    return right;
  };
  fill(c, 2);
  BLAS(cublasSgemm(h, kAsItIs, kAsItIs, n, n, n, &none, nan, n, nan, n, &half, c, n));
  CHECK(halves());
  BLAS(cublasSsymm(h, kLeft, kLower, n, n, &none, nan, n, nan, n, &half, c, n));
  CHECK(halves());
  BLAS(cublasSsyrk(h, kLower, kAsItIs, n, n, &none, nan, n, &half, c, n));
  CHECK(halves());
  BLAS(cublasSsyr2k(h, kLower, kAsItIs, n, n, &none, nan, n, nan, n, &half, c, n));
  CHECK(halves());
  BLAS(cublasSgemv(h, kAsItIs, n, n, &none, nan, n, nan, 1, &half, c, 1));
  CHECK(halves(1));
  BLAS(cublasSsymv(h, kLower, n, &none, nan, n, nan, 1, &half, c, 1));
  CHECK(halves(1));

  // The other operand of a sum stays unchanged.
  BLAS(cublasSger(h, n, n, &none, nan, 1, nan, 1, c, n));
  BLAS(cublasSsyr(h, kLower, n, &none, nan, 1, c, n));
  BLAS(cublasSsyr2(h, kLower, n, &none, nan, 1, nan, 1, c, n));
  CHECK(all_are(c, 2));

  // Without another operand the result is 0, whatever the old content.
  BLAS(cublasStrmm(h, kLeft, kLower, kAsItIs, kDiagonal, n, n, &none, nan, n, nan, n, c, n));
  CHECK(all_are(c, 0));
  BLAS(cublasStrsm(h, kLeft, kLower, kAsItIs, kDiagonal, n, n, &none, nan, n, nan, n));
  CHECK(all_are(nan, 0));

  BLAS(cublasDestroy(h));
  cudaFree(nan);
  cudaFree(c);
  puts("done");
}

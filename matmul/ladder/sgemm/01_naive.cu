// Rung 1: the two outer loops of the serial product, an element of C per thread.
//
//   make check-matmul WITH=ladder/sgemm/01_naive.cu
//
// Idea: none yet; the rung is only correct. Neighbouring threads are neighbours in a column of C.
// Expect: the 32 threads of a warp read 32 rows of A, so 32 sectors at each step, and all threads
// the same element of B. The warp's elements of C lie in 32 rows, too.
#include "matmul.h"

#include "cuda_check.h"

namespace {

constexpr int kTile = 32;

// A block of kTile x kTile threads per tile of C: thread (x, y) computes element (x, y) of it.
// Tiles are numbered along the rows of C.
__global__ void sgemm_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  const int tiles_across = (n + kTile - 1) / kTile;
  const int row = blockIdx.x / tiles_across * kTile + threadIdx.x;
  const int col = blockIdx.x % tiles_across * kTile + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) {
    sum += a[static_cast<size_t>(row) * k + l] * b[static_cast<size_t>(l) * n + col];
  }
  c[static_cast<size_t>(row) * n + col] = sum;
}

}  // namespace

void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  sgemm_kernel<<<ceil_div(m, kTile) * ceil_div(n, kTile), block>>>(m, n, k, a, b, c);
  CUDA_CHECK(cudaGetLastError());
}

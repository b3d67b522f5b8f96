// A product of matrices whose threads each have a tile of the result, in blocks of up to 1024: the
// tiles of a block take more than the initial stack. Beside the same work on the host.
#include <cstdio>

#include "check.h"

constexpr int kTall = 8, kDepth = 4;

// A block computes kTall rows for each row of threads. `out` is a constant pointer.
__global__ void product(const float* const a, const float* const __restrict__ b, float* const out,
                        int n) {
  extern __shared__ float shared[];
  float* const rows_of_b = shared;  // kDepth rows, as wide as 8 threads have columns
  const int columns = 8 * blockDim.x;
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * kTall, first = blockIdx.x * columns;
  float sums[kTall][8] = {}, from_a[kTall], from_b[8];
  for (int k = 0; k < n; k += kDepth) {
    const int id = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = id; i < kDepth * columns; i += blockDim.x * blockDim.y)
      rows_of_b[i] = b[(k + i / columns) * n + first + i % columns];
    __syncthreads();
    for (int d = 0; d < kDepth; ++d) {
      for (int i = 0; i < kTall; ++i)
        from_a[i] = a[(row + i) * n + k + d];
      for (int j = 0; j < 8; ++j)
        from_b[j] = rows_of_b[d * columns + threadIdx.x + j * blockDim.x];
      for (int i = 0; i < kTall; ++i) {
        for (int j = 0; j < 8; ++j)
          sums[i][j] += from_a[i] * from_b[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kTall; ++i) {
    for (int j = 0; j < 8; ++j)
      out[(row + i) * n + first + threadIdx.x + j * blockDim.x] = sums[i][j];
  }
}

void check(dim3 block, int n) {
  float *a, *b, *out;
  for (float** matrix : {&a, &b, &out})
    CHECK_OK(cudaMallocManaged(matrix, n * n * sizeof(float)));
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 5 - 2);
    b[i] = static_cast<float>(i % 7 - 3);
  }
  const int columns = 8 * block.x;
  const dim3 grid(n / columns, n / (kTall * block.y));
  product<<<grid, block, kDepth * columns * sizeof(float)>>>(a, b, out, n);
  CHECK_OK(cudaDeviceSynchronize());
  for (int r = 0; r < n; r += 7) {
    for (int c = 0; c < n; ++c) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[r * n + k] * b[k * n + c];
      CHECK(out[r * n + c] == sum);
    }
  }
  for (float* matrix : {a, b, out})
    CHECK_OK(cudaFree(matrix));
}

int main() {
  check(dim3(8, 8), 128);
  check(dim3(16, 16), 128);
  check(dim3(32, 32), 256);
}

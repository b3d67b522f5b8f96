// The innermost loops of all products of matrices in cuBLAS.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cudacpu::blas {

// g++ uses vectors in the loop of add_columns() with -O3 only, Clang with -O2 as well. On x86-64
// the processor decides whether vectors have 16 or 32 bytes; the sums are the same.
#if defined(__clang__)
#define CUDACPU_VECTORS
#elif defined(__x86_64__)
#define CUDACPU_VECTORS __attribute__((optimize("O3"), target_clones("avx2", "default")))
#else
#define CUDACPU_VECTORS __attribute__((optimize("O3")))
#endif

// A block of A, which stays in the processor's caches while all columns of C use it.
inline constexpr int64_t kBlockRows = 256, kBlockColumns = 128;

// Adds columns of A to a column of C, each multiplied by its factor.
template <typename Sum>
CUDACPU_VECTORS static void add_columns(const Sum* a, const Sum* factors, Sum* c, int64_t m,
                                        int64_t rows, int64_t columns) {
  int64_t l = 0;
  for (; l + 4 <= columns; l += 4) {  // a sum is loaded and stored once for four columns
    const Sum *a0 = a + l * m, *a1 = a0 + m, *a2 = a1 + m, *a3 = a2 + m;
    const Sum f0 = factors[l], f1 = factors[l + 1], f2 = factors[l + 2], f3 = factors[l + 3];
    for (int64_t i = 0; i < rows; ++i)
      c[i] = (((c[i] + f0 * a0[i]) + f1 * a1[i]) + f2 * a2[i]) + f3 * a3[i];
  }
  for (; l < columns; ++l) {
    for (int64_t i = 0; i < rows; ++i)
      c[i] += factors[l] * a[i + l * m];
  }
}

// Adds A B to C.
template <typename Sum>
void multiply_columns(const Sum* a, const Sum* b, Sum* c, int64_t m, int64_t n, int64_t k) {
  for (int64_t l = 0; l < k; l += kBlockColumns) {
    const int64_t columns = std::min(kBlockColumns, k - l);
    for (int64_t i = 0; i < m; i += kBlockRows) {
      const int64_t rows = std::min(kBlockRows, m - i);
      for (int64_t j = 0; j < n; ++j)
        add_columns(a + i + l * m, b + l + j * k, c + i + j * m, m, rows, columns);
    }
  }
}

}  // namespace cudacpu::blas

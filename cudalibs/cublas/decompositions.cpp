// cuBLAS: decompositions of many small matrices, and solutions by decompositions: LU (getrf, getrs,
// getri, matinv) and QR (geqrf, gels). Arrays on the device point to the matrices of a batch.
#include <cmath>
#include <vector>

#include "cublas/call.h"
#include "cublas/number.h"
#include "cublas/stored.h"
#include "cublas_v2.h"

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

constexpr int kLargestInverse = 32;  // of matinvBatched

// A matrix without gaps, in the type of the computation.
template <typename S>
struct Dense {
  int64_t rows;
  std::vector<S> values;

  S& operator()(int64_t i, int64_t j) { return values[static_cast<size_t>(i + j * rows)]; }
  const S& operator()(int64_t i, int64_t j) const {
    return values[static_cast<size_t>(i + j * rows)];
  }
  S* column(int64_t j) { return values.data() + j * rows; }
};

template <typename T>
Dense<Sum<T>> load_matrix(Call& call, const T* a, int m, int n, int ld, const char* role) {
  call.reads(a, m, n, ld, role);
  if (!call.valid) return {m, std::vector<Sum<T>>(static_cast<size_t>(m) * n)};
  return {m, Matrix<T>::general(a, m, n, ld).whole()};
}

template <typename T>
void store_matrix(Call& call, const Dense<Sum<T>>& from, T* a, int m, int n, int ld,
                  const char* role) {
  call.writes(a, m, n, ld, role, false);
  for (int64_t j = 0; call.valid && j < n; ++j) {
    for (int64_t i = 0; i < m; ++i)
      Number<T>::store(a[i + j * ld], from(i, j));
  }
}

// The size of a number by which a pivot is chosen.
template <typename S>
auto pivot_size(S x) {
  return std::abs(std::real(x)) + std::abs(std::imag(x));
}

// A = P L U in place, with the exchanged rows, from 1, unless `pivots` is null. Returns the first
// column, from 1, whose pivot is 0, or 0.
template <typename S>
int decompose(Dense<S>& a, int* pivots) {
  const int64_t n = a.rows;
  int singular = 0;
  for (int64_t k = 0; k < n; ++k) {
    if (pivots) {
      int64_t pivot = k;
      for (int64_t i = k + 1; i < n; ++i)
        if (pivot_size(a(i, k)) > pivot_size(a(pivot, k))) pivot = i;
      pivots[k] = static_cast<int>(pivot + 1);
      for (int64_t j = 0; j < n && pivot != k; ++j)
        std::swap(a(k, j), a(pivot, j));
    }
    if (a(k, k) == S(0)) {
      if (!singular) singular = static_cast<int>(k + 1);
      continue;
    }
    for (int64_t i = k + 1; i < n; ++i)
      a(i, k) /= a(k, k);
    for (int64_t j = k + 1; j < n; ++j) {
      for (int64_t i = k + 1; i < n; ++i)
        a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return singular;
}

template <typename S>
int zero_on_diagonal(const Dense<S>& a, int64_t n) {
  for (int64_t k = 0; k < n; ++k)
    if (a(k, k) == S(0)) return static_cast<int>(k + 1);
  return 0;
}

enum class Triangle { kUnitLower, kUpper };

// Solves op(A) x = b in place, with a triangle of the first n rows and columns of A.
template <typename S>
void substitute(const Dense<S>& a, Triangle triangle, cublasOperation_t op, int64_t n, S* x) {
  const bool turned = op != CUBLAS_OP_N, down = (triangle == Triangle::kUnitLower) != turned;
  const auto at = [&](int64_t i, int64_t j) {
    const S value = turned ? a(j, i) : a(i, j);
    return op == CUBLAS_OP_C ? conjugate(value) : value;
  };
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = down ? step : n - 1 - step;
    for (int64_t j = down ? 0 : i + 1; j < (down ? i : n); ++j)
      x[i] -= at(i, j) * x[j];
    if (triangle == Triangle::kUpper) x[i] /= at(i, i);
  }
}

// Exchanges elements as decompose() did rows, or in the opposite order.
template <typename S>
void exchange(const int* pivots, int64_t n, bool backwards, S* x) {
  for (int64_t step = 0; pivots && step < n; ++step) {
    const int64_t k = backwards ? n - 1 - step : step;
    std::swap(x[k], x[pivots[k] - 1]);
  }
}

// Solves op(P L U) x = b in place.
template <typename S>
void solve_decomposed(const Dense<S>& a, const int* pivots, cublasOperation_t op, S* x) {
  const int64_t n = a.rows;
  if (op == CUBLAS_OP_N) {
    exchange(pivots, n, false, x);
    substitute(a, Triangle::kUnitLower, op, n, x);
    substitute(a, Triangle::kUpper, op, n, x);
  } else {
    substitute(a, Triangle::kUpper, op, n, x);
    substitute(a, Triangle::kUnitLower, op, n, x);
    exchange(pivots, n, true, x);
  }
}

template <typename S>
Dense<S> inverse(const Dense<S>& a, const int* pivots) {
  const int64_t n = a.rows;
  Dense<S> result{n, std::vector<S>(a.values.size())};
  for (int64_t j = 0; j < n; ++j) {
    result(j, j) = S(1);
    solve_decomposed(a, pivots, CUBLAS_OP_N, result.column(j));
  }
  return result;
}

// Applies the reflection (I - factor v v')', with v = (1, column k of A under the diagonal).
template <typename S>
void reflect(const Dense<S>& a, int64_t k, S factor, S* x) {
  S sum = x[k];
  for (int64_t i = k + 1; i < a.rows; ++i)
    sum += conjugate(a(i, k)) * x[i];
  sum *= conjugate(factor);
  x[k] -= sum;
  for (int64_t i = k + 1; i < a.rows; ++i)
    x[i] -= sum * a(i, k);
}

// A = Q R in place, in LAPACK's form: R, and under it the reflections of which Q is the product.
// Returns the factors of the reflections.
template <typename S>
std::vector<S> decompose_qr(Dense<S>& a, int64_t n) {
  std::vector<S> factors(static_cast<size_t>(std::min(a.rows, n)));
  for (int64_t k = 0; k < static_cast<int64_t>(factors.size()); ++k) {
    Real<S> rest = 0;
    for (int64_t i = k + 1; i < a.rows; ++i)
      rest += static_cast<Real<S>>(std::norm(a(i, k)));
    const S first = a(k, k);
    if (rest == 0 && std::imag(first) == 0) continue;
    const Real<S> length = std::sqrt(static_cast<Real<S>>(std::norm(first)) + rest);
    const S end = S(-std::copysign(length, std::real(first)));
    factors[static_cast<size_t>(k)] = (end - first) / end;
    for (int64_t i = k + 1; i < a.rows; ++i)
      a(i, k) /= first - end;
    a(k, k) = end;
    for (int64_t j = k + 1; j < n; ++j)
      reflect(a, k, factors[static_cast<size_t>(k)], a.column(j));
  }
  return factors;
}

bool fits_rows(int ld, int rows) {
  return rows >= 0 && ld >= std::max(1, rows);
}

// Refuses a call: `info`, on the host, gets minus the number of the first wrong argument, as in
// LAPACK.
cublasStatus_t refuse(int* info, int argument) {
  if (info) *info = -argument;
  return CUBLAS_STATUS_INVALID_VALUE;
}

template <typename T>
cublasStatus_t getrf(cublasHandle_t handle, const char* name, int n, T* const a[], int lda,
                     int* pivots, int* info, int count) {
  if (!fits_rows(lda, n) || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=](Call& call) {
    call.reads(a, count, 1, count, "the pointers to A");
    if (pivots) call.writes(pivots, n, count, n, "the pivots", false);
    call.writes(info, count, 1, count, "the array info", false);
    for (int i = 0; i < count && call.valid; ++i) {
      auto matrix = load_matrix(call, a[i], n, n, lda, "matrix A");
      if (!call.valid) return;
      info[i] = decompose(matrix, pivots ? pivots + int64_t{i} * n : nullptr);
      store_matrix(call, matrix, a[i], n, n, lda, "matrix A");
    }
  });
}

template <typename T>
cublasStatus_t getrs(cublasHandle_t handle, const char* name, cublasOperation_t op, int n,
                     int columns, const T* const a[], int lda, const int* pivots, T* const b[],
                     int ldb, int* info, int count) {
  if (n < 0) return refuse(info, 2);
  if (columns < 0) return refuse(info, 3);
  if (!fits_rows(lda, n)) return refuse(info, 5);
  if (!fits_rows(ldb, n)) return refuse(info, 8);
  if (count < 0) return refuse(info, 10);
  if (info) *info = 0;
  return run(handle, name, [=](Call& call) {
    call.reads(a, count, 1, count, "the pointers to A");
    call.reads(b, count, 1, count, "the pointers to B");
    if (pivots) call.reads(pivots, n, count, n, "the pivots");
    for (int i = 0; i < count && call.valid; ++i) {
      const auto matrix = load_matrix(call, a[i], n, n, lda, "matrix A");
      auto right = load_matrix(call, static_cast<const T*>(b[i]), n, columns, ldb, "matrix B");
      if (!call.valid) return;
      for (int64_t j = 0; j < columns; ++j)
        solve_decomposed(matrix, pivots ? pivots + int64_t{i} * n : nullptr, op, right.column(j));
      store_matrix(call, right, b[i], n, columns, ldb, "matrix B");
    }
  });
}

template <typename T>
cublasStatus_t getri(cublasHandle_t handle, const char* name, int n, const T* const a[], int lda,
                     const int* pivots, T* const c[], int ldc, int* info, int count) {
  if (!fits_rows(lda, n) || !fits_rows(ldc, n) || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=](Call& call) {
    call.reads(a, count, 1, count, "the pointers to A");
    call.reads(c, count, 1, count, "the pointers to C");
    if (pivots) call.reads(pivots, n, count, n, "the pivots");
    call.writes(info, count, 1, count, "the array info", false);
    for (int i = 0; i < count && call.valid; ++i) {
      const auto matrix = load_matrix(call, a[i], n, n, lda, "matrix A");
      if (!call.valid) return;
      info[i] = zero_on_diagonal(matrix, n);
      if (info[i]) continue;
      store_matrix(call, inverse(matrix, pivots ? pivots + int64_t{i} * n : nullptr), c[i], n, n,
                   ldc, "matrix C");
    }
  });
}

template <typename T>
cublasStatus_t matinv(cublasHandle_t handle, const char* name, int n, const T* const a[], int lda,
                      T* const c[], int ldc, int* info, int count) {
  if (!fits_rows(lda, n) || !fits_rows(ldc, n) || n > kLargestInverse || count < 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=](Call& call) {
    call.reads(a, count, 1, count, "the pointers to A");
    call.reads(c, count, 1, count, "the pointers to the inverses");
    call.writes(info, count, 1, count, "the array info", false);
    std::vector<int> pivots(static_cast<size_t>(n));
    for (int i = 0; i < count && call.valid; ++i) {
      auto matrix = load_matrix(call, a[i], n, n, lda, "matrix A");
      if (!call.valid) return;
      info[i] = decompose(matrix, pivots.data());
      if (info[i]) continue;
      store_matrix(call, inverse(matrix, pivots.data()), c[i], n, n, ldc, "an inverse");
    }
  });
}

template <typename T>
cublasStatus_t geqrf(cublasHandle_t handle, const char* name, int m, int n, T* const a[], int lda,
                     T* const factors[], int* info, int count) {
  if (m < 0) return refuse(info, 1);
  if (n < 0) return refuse(info, 2);
  if (!fits_rows(lda, m)) return refuse(info, 4);
  if (count < 0) return refuse(info, 7);
  if (info) *info = 0;
  return run(handle, name, [=](Call& call) {
    call.reads(a, count, 1, count, "the pointers to A");
    call.reads(factors, count, 1, count, "the pointers to tau");
    for (int i = 0; i < count && call.valid; ++i) {
      auto matrix = load_matrix(call, static_cast<const T*>(a[i]), m, n, lda, "matrix A");
      const Dense<Sum<T>> found{std::min(m, n), decompose_qr(matrix, n)};
      store_matrix(call, matrix, a[i], m, n, lda, "matrix A");
      store_matrix(call, found, factors[i], std::min(m, n), 1, std::max(1, std::min(m, n)),
                   "vector tau");
    }
  });
}

template <typename T>
cublasStatus_t gels(cublasHandle_t handle, const char* name, cublasOperation_t op, int m, int n,
                    int columns, T* const a[], int lda, T* const c[], int ldc, int* info,
                    int* singular, int count) {
  if (m < 0) return refuse(info, 2);
  if (n < 0) return refuse(info, 3);
  if (columns < 0) return refuse(info, 4);
  if (!fits_rows(lda, m)) return refuse(info, 6);
  if (!fits_rows(ldc, m)) return refuse(info, 8);
  if (count < 0) return refuse(info, 11);
  if (info) *info = 0;
  if (op != CUBLAS_OP_N || m < n) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run(handle, name, [=](Call& call) {
    call.reads(a, count, 1, count, "the pointers to A");
    call.reads(c, count, 1, count, "the pointers to C");
    if (singular) call.writes(singular, count, 1, count, "the array devInfoArray", false);
    for (int i = 0; i < count && call.valid; ++i) {
      auto matrix = load_matrix(call, static_cast<const T*>(a[i]), m, n, lda, "matrix A");
      auto right = load_matrix(call, static_cast<const T*>(c[i]), m, columns, ldc, "matrix C");
      if (!call.valid) return;
      const auto factors = decompose_qr(matrix, n);
      const int zero = zero_on_diagonal(matrix, n);
      if (singular) singular[i] = zero;
      store_matrix(call, matrix, a[i], m, n, lda, "matrix A");
      if (zero) continue;
      for (int64_t j = 0; j < columns; ++j) {
        for (int64_t k = 0; k < n; ++k)
          reflect(matrix, k, factors[static_cast<size_t>(k)], right.column(j));
        substitute(matrix, Triangle::kUpper, CUBLAS_OP_N, n, right.column(j));
      }
      store_matrix(call, right, c[i], m, columns, ldc, "matrix C");
    }
  });
}

}  // namespace

#define DECOMPOSITIONS(L, T)                                                                       \
  cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda,      \
                                         int* pivots, int* info, int count) {                      \
    return getrf(handle, "cublas" #L "getrfBatched", n, a, lda, pivots, info, count);              \
  }                                                                                                \
  cublasStatus_t cublas##L##getrsBatched(                                                          \
      cublasHandle_t handle, cublasOperation_t op, int n, int columns, const T* const a[],         \
      int lda, const int* pivots, T* const b[], int ldb, int* info, int count) {                   \
    return getrs(handle, "cublas" #L "getrsBatched", op, n, columns, a, lda, pivots, b, ldb, info, \
                 count);                                                                           \
  }                                                                                                \
  cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const T* const a[],         \
                                         int lda, const int* pivots, T* const c[], int ldc,        \
                                         int* info, int count) {                                   \
    return getri(handle, "cublas" #L "getriBatched", n, a, lda, pivots, c, ldc, info, count);      \
  }                                                                                                \
  cublasStatus_t cublas##L##matinvBatched(cublasHandle_t handle, int n, const T* const a[],        \
                                          int lda, T* const inverses[], int ld_inverses,           \
                                          int* info, int count) {                                  \
    return matinv(handle, "cublas" #L "matinvBatched", n, a, lda, inverses, ld_inverses, info,     \
                  count);                                                                          \
  }                                                                                                \
  cublasStatus_t cublas##L##geqrfBatched(cublasHandle_t handle, int m, int n, T* const a[],        \
                                         int lda, T* const tau[], int* info, int count) {          \
    return geqrf(handle, "cublas" #L "geqrfBatched", m, n, a, lda, tau, info, count);              \
  }                                                                                                \
  cublasStatus_t cublas##L##gelsBatched(cublasHandle_t handle, cublasOperation_t op, int m, int n, \
                                        int columns, T* const a[], int lda, T* const c[], int ldc, \
                                        int* info, int* singular, int count) {                     \
    return gels(handle, "cublas" #L "gelsBatched", op, m, n, columns, a, lda, c, ldc, info,        \
                singular, count);                                                                  \
  }
DECOMPOSITIONS(S, float)
DECOMPOSITIONS(D, double)
DECOMPOSITIONS(C, cuComplex)
DECOMPOSITIONS(Z, cuDoubleComplex)
#undef DECOMPOSITIONS

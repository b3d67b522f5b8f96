// cuBLAS: the second level, matrices with vectors.
#include <vector>

#include "cublas/stored.h"
#include "cublas_v2.h"

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

template <typename T>
const T* null() {
  return nullptr;
}

// y = alpha op(A) x + beta y. y is not read where beta is 0, nor are A and x where alpha is 0: the
// elements may hold anything.
template <typename T>
cublasStatus_t multiply(cublasHandle_t handle, const char* name, const Matrix<T>& a,
                        cublasOperation_t op, const T* alpha, const T* x, int incx, const T* beta,
                        T* y, int incy) {
  if (!a.valid() || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(
      handle, name,
      [=, alpha_at = Factor<T>(handle, alpha), beta_at = Factor<T>(handle, beta)](Call& call) {
        const auto f = Number<T>::load(alpha_at.get(call));
        const auto g = Number<T>::load(beta_at.get(call));
        const int64_t rows = op == CUBLAS_OP_N ? a.rows() : a.columns();
        const int64_t terms = op == CUBLAS_OP_N ? a.columns() : a.rows();
        const bool multiplies = f != Sum<T>(0);
        if (multiplies) a.look(call, "matrix A", true, false);
        const T* in = multiplies ? call.reads_vector(x, terms, incx, "vector x") : x;
        T* out = call.writes_vector(y, rows, incy, "vector y", g != Sum<T>(0));
        if (!call.valid) return;
        const std::vector<Sum<T>> all = multiplies ? a.whole(op) : std::vector<Sum<T>>();
        std::vector<Sum<T>> sums(static_cast<size_t>(rows));
        for (int64_t j = 0; multiplies && j < terms; ++j) {
          const auto factor = Number<T>::load(in[j * incx]);
          for (int64_t i = 0; i < rows; ++i)
            sums[i] += all[i + j * rows] * factor;
        }
        for (int64_t i = 0; i < rows; ++i)
          update(out[i * incy], f, sums[i], g);
      });
}

// x = op(A) x with a triangular A, in place.
template <typename T>
cublasStatus_t multiply_triangle(cublasHandle_t handle, const char* name, const Matrix<T>& a,
                                 cublasOperation_t op, T* x, int incx) {
  if (!a.valid() || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=](Call& call) {
    const int64_t n = a.rows();
    a.look(call, "matrix A", true, false);
    T* out = call.writes_vector(x, n, incx, "vector x");
    if (!call.valid) return;
    const std::vector<Sum<T>> all = a.whole(op);
    std::vector<Sum<T>> sums(static_cast<size_t>(n));
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < n; ++i)
        sums[i] += all[i + j * n] * Number<T>::load(out[j * incx]);
    }
    for (int64_t i = 0; i < n; ++i)
      Number<T>::store(out[i * incx], sums[i]);
  });
}

// Solves op(A) x = b with a triangular A, in place.
template <typename T>
cublasStatus_t solve_triangle(cublasHandle_t handle, const char* name, const Matrix<T>& a,
                              cublasOperation_t op, T* x, int incx) {
  if (!a.valid() || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=](Call& call) {
    a.look(call, "matrix A", true, false);
    T* out = call.writes_vector(x, a.rows(), incx, "vector x");
    if (call.valid) solve(a.whole(op), a.is_lower() == (op == CUBLAS_OP_N), a.rows(), out, incx);
  });
}

// A = alpha x y' + A, with y' conjugate if `conjugates` says so.
template <typename T>
cublasStatus_t add_product(cublasHandle_t handle, const char* name, bool conjugates, int m, int n,
                           const T* alpha, const T* x, int incx, const T* y, int incy, T* a,
                           int lda) {
  const auto matrix = Matrix<T>::general(a, m, n, lda);
  if (!matrix.valid() || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=, alpha_at = Factor<T>(handle, alpha)](Call& call) {
    const auto f = Number<T>::load(alpha_at.get(call));
    if (f == Sum<T>(0)) return;
    const T* left = call.reads_vector(x, m, incx, "vector x");
    const T* right = call.reads_vector(y, n, incy, "vector y");
    matrix.look(call, "matrix A", true, true);
    for (int64_t j = 0; call.valid && j < n; ++j) {
      const auto last = Number<T>::load(right[j * incy]);
      for (int64_t i = 0; i < m; ++i) {
        T& place = a[matrix.index(i, j)];
        Number<T>::store(place, Number<T>::load(place) + f * Number<T>::load(left[i * incx]) *
                                                             (conjugates ? conjugate(last) : last));
      }
    }
  });
}

// The stored triangle of A = alpha x x' + A, or of alpha x y' + alpha' y x' + A if `y` is given.
// For a Hermitian A the transposed vectors are also conjugated. A's elements are at `a`.
template <typename F, typename T>
cublasStatus_t add_symmetric(cublasHandle_t handle, const char* name, const Matrix<T>& matrix,
                             bool hermitian, const F* alpha, const T* x, int incx, const T* y,
                             int incy, T* a) {
  if (!matrix.valid() || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=, alpha_at = Factor<F>(handle, alpha)](Call& call) {
    const Sum<T> f = Number<F>::load(alpha_at.get(call));
    if (f == Sum<T>(0)) return;
    const auto turned = [=](Sum<T> value) { return hermitian ? conjugate(value) : value; };
    const int64_t n = matrix.rows();
    const T* left = call.reads_vector(x, n, incx, "vector x");
    const T* right = y ? call.reads_vector(y, n, incy, "vector y") : nullptr;
    matrix.look(call, "matrix A", true, true);
    const auto of_x = [=](int64_t i) { return Number<T>::load(left[i * incx]); };
    const auto of_y = [=](int64_t i) { return Number<T>::load(right[i * incy]); };
    for (int64_t j = 0; call.valid && j < n; ++j) {
      for (int64_t i = 0; i < n; ++i) {
        if (!matrix.has(i, j)) continue;
        T& place = a[matrix.index(i, j)];
        Sum<T> value = Number<T>::load(place);
        if (right) {
          value += f * of_x(i) * turned(of_y(j)) + turned(f) * of_y(i) * turned(of_x(j));
        } else {
          value += f * of_x(i) * turned(of_x(j));
        }
        Number<T>::store(place, hermitian && i == j ? real_part(value) : value);
      }
    }
  });
}

}  // namespace

#define GENERAL(L, T)                                                                              \
  cublasStatus_t cublas##L##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,        \
                                 const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                 const T* beta, T* y, int incy) {                                  \
    return multiply(handle, "cublas" #L "gemv", Matrix<T>::general(a, m, n, lda), op, alpha, x,    \
                    incx, beta, y, incy);                                                          \
  }                                                                                                \
  cublasStatus_t cublas##L##gbmv(cublasHandle_t handle, cublasOperation_t op, int m, int n,        \
                                 int kl, int ku, const T* alpha, const T* a, int lda, const T* x,  \
                                 int incx, const T* beta, T* y, int incy) {                        \
    return multiply(handle, "cublas" #L "gbmv", Matrix<T>::general_band(a, m, n, kl, ku, lda), op, \
                    alpha, x, incx, beta, y, incy);                                                \
  }
GENERAL(S, float)
GENERAL(D, double)
GENERAL(C, cuComplex)
GENERAL(Z, cuDoubleComplex)
#undef GENERAL

#define GER(L, T, ger, conjugates)                                                               \
  cublasStatus_t cublas##L##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, \
                                int incx, const T* y, int incy, T* a, int lda) {                 \
    return add_product(handle, "cublas" #L#ger, conjugates, m, n, alpha, x, incx, y, incy, a,    \
                       lda);                                                                     \
  }
GER(S, float, ger, false)
GER(D, double, ger, false)
GER(C, cuComplex, geru, false)
GER(C, cuComplex, gerc, true)
GER(Z, cuDoubleComplex, geru, false)
GER(Z, cuDoubleComplex, gerc, true)
#undef GER

// Matrices of which one triangle is stored, in the three ways. F is the type of the factor of x x'.
#define HALF(L, T, F, mv, r, r2, shape)                                                            \
  cublasStatus_t cublas##L##mv(cublasHandle_t handle, cublasFillMode_t fill, int n,                \
                               const T* alpha, const T* a, int lda, const T* x, int incx,          \
                               const T* beta, T* y, int incy) {                                    \
    return multiply(handle, "cublas" #L#mv, Matrix<T>::half(a, shape, fill, n, lda), CUBLAS_OP_N,  \
                    alpha, x, incx, beta, y, incy);                                                \
  }                                                                                                \
  cublasStatus_t cublas##L##r(cublasHandle_t handle, cublasFillMode_t fill, int n, const F* alpha, \
                              const T* x, int incx, T* a, int lda) {                               \
    return add_symmetric(handle, "cublas" #L#r, Matrix<T>::half(a, shape, fill, n, lda),           \
                         shape == Shape::kHermitian, alpha, x, incx, null<T>(), 1, a);             \
  }                                                                                                \
  cublasStatus_t cublas##L##r2(cublasHandle_t handle, cublasFillMode_t fill, int n,                \
                               const T* alpha, const T* x, int incx, const T* y, int incy, T* a,   \
                               int lda) {                                                          \
    return add_symmetric(handle, "cublas" #L#r2, Matrix<T>::half(a, shape, fill, n, lda),          \
                         shape == Shape::kHermitian, alpha, x, incx, y, incy, a);                  \
  }
HALF(S, float, float, symv, syr, syr2, Shape::kSymmetric)
HALF(D, double, double, symv, syr, syr2, Shape::kSymmetric)
HALF(C, cuComplex, cuComplex, symv, syr, syr2, Shape::kSymmetric)
HALF(Z, cuDoubleComplex, cuDoubleComplex, symv, syr, syr2, Shape::kSymmetric)
HALF(C, cuComplex, float, hemv, her, her2, Shape::kHermitian)
HALF(Z, cuDoubleComplex, double, hemv, her, her2, Shape::kHermitian)
#undef HALF

#define SMALL(L, T, F, bmv, pmv, pr, pr2, shape)                                                  \
  cublasStatus_t cublas##L##bmv(cublasHandle_t handle, cublasFillMode_t fill, int n, int k,       \
                                const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                const T* beta, T* y, int incy) {                                  \
    return multiply(handle, "cublas" #L#bmv, Matrix<T>::half_band(a, shape, fill, n, k, lda),     \
                    CUBLAS_OP_N, alpha, x, incx, beta, y, incy);                                  \
  }                                                                                               \
  cublasStatus_t cublas##L##pmv(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                const T* alpha, const T* ap, const T* x, int incx, const T* beta, \
                                T* y, int incy) {                                                 \
    return multiply(handle, "cublas" #L#pmv, Matrix<T>::half_packed(ap, shape, fill, n),          \
                    CUBLAS_OP_N, alpha, x, incx, beta, y, incy);                                  \
  }                                                                                               \
  cublasStatus_t cublas##L##pr(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                               const F* alpha, const T* x, int incx, T* ap) {                     \
    return add_symmetric(handle, "cublas" #L#pr, Matrix<T>::half_packed(ap, shape, fill, n),      \
                         shape == Shape::kHermitian, alpha, x, incx, null<T>(), 1, ap);           \
  }                                                                                               \
  cublasStatus_t cublas##L##pr2(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                const T* alpha, const T* x, int incx, const T* y, int incy,       \
                                T* ap) {                                                          \
    return add_symmetric(handle, "cublas" #L#pr2, Matrix<T>::half_packed(ap, shape, fill, n),     \
                         shape == Shape::kHermitian, alpha, x, incx, y, incy, ap);                \
  }
SMALL(S, float, float, sbmv, spmv, spr, spr2, Shape::kSymmetric)
SMALL(D, double, double, sbmv, spmv, spr, spr2, Shape::kSymmetric)
SMALL(C, cuComplex, float, hbmv, hpmv, hpr, hpr2, Shape::kHermitian)
SMALL(Z, cuDoubleComplex, double, hbmv, hpmv, hpr, hpr2, Shape::kHermitian)
#undef SMALL

#define TRIANGLE(L, T, function, kind)                                                            \
  cublasStatus_t cublas##L##tr##kind(cublasHandle_t handle, cublasFillMode_t fill,                \
                                     cublasOperation_t op, cublasDiagType_t diagonal, int n,      \
                                     const T* a, int lda, T* x, int incx) {                       \
    const auto matrix = Matrix<T>::half(a, Shape::kTriangular, fill, n, lda);                     \
    return function(handle, "cublas" #L "tr" #kind, matrix.with_diagonal(diagonal), op, x, incx); \
  }                                                                                               \
  cublasStatus_t cublas##L##tb##kind(cublasHandle_t handle, cublasFillMode_t fill,                \
                                     cublasOperation_t op, cublasDiagType_t diagonal, int n,      \
                                     int k, const T* a, int lda, T* x, int incx) {                \
    const auto matrix = Matrix<T>::half_band(a, Shape::kTriangular, fill, n, k, lda);             \
    return function(handle, "cublas" #L "tb" #kind, matrix.with_diagonal(diagonal), op, x, incx); \
  }                                                                                               \
  cublasStatus_t cublas##L##tp##kind(cublasHandle_t handle, cublasFillMode_t fill,                \
                                     cublasOperation_t op, cublasDiagType_t diagonal, int n,      \
                                     const T* ap, T* x, int incx) {                               \
    const auto matrix = Matrix<T>::half_packed(ap, Shape::kTriangular, fill, n);                  \
    return function(handle, "cublas" #L "tp" #kind, matrix.with_diagonal(diagonal), op, x, incx); \
  }
#define TRIANGLES(L, T)                 \
  TRIANGLE(L, T, multiply_triangle, mv) \
  TRIANGLE(L, T, solve_triangle, sv)
TRIANGLES(S, float)
TRIANGLES(D, double)
TRIANGLES(C, cuComplex)
TRIANGLES(Z, cuDoubleComplex)
#undef TRIANGLES
#undef TRIANGLE

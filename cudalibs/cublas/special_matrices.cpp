// cuBLAS: the functions of the third level for symmetric, Hermitian and triangular matrices, and
// sums of matrices.
#include <vector>

#include "cublas/products.h"
#include "cublas/stored.h"
#include "cublas_v2.h"

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

// The operands of a product are not read where the factor is 0: the operands may hold anything.

// C = alpha op(A) B + beta C, or B op(A) if A is on the right, with an A of which a part is stored.
template <typename T>
cublasStatus_t multiply(cublasHandle_t handle, const char* name, cublasSideMode_t side,
                        const Matrix<T>& a, cublasOperation_t op, int m, int n, const T* alpha,
                        const T* b, int ldb, Factor<T> beta, T* c, int ldc) {
  const auto other = Matrix<T>::general(b, m, n, ldb), result = Matrix<T>::general(c, m, n, ldc);
  if (!a.valid() || !other.valid() || !result.valid()) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=, alpha_at = Factor<T>(handle, alpha)](Call& call) {
    const auto f = Number<T>::load(alpha_at.get(call));
    const auto g = Number<T>::load(beta.get(call));
    const bool multiplies = f != Sum<T>(0);
    if (multiplies) {
      a.look(call, "matrix A", true, false);
      other.look(call, "matrix B", true, false);
    }
    result.look(call, "matrix C", g != Sum<T>(0), true);
    if (!call.valid) return;
    std::vector<Sum<T>> sums(static_cast<size_t>(m) * static_cast<size_t>(n));
    if (multiplies) {
      const bool left = side == CUBLAS_SIDE_LEFT;
      const std::vector<Sum<T>> all = a.whole(op), rest = other.whole();
      multiply_columns((left ? all : rest).data(), (left ? rest : all).data(), sums.data(), m, n,
                       a.rows());
    }
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i)
        update(c[i + j * ldc], f, sums[i + j * m], g);
    }
  });
}

// The operands of C = alpha op(A) op(B)' + beta C, of which one triangle is computed. For a
// Hermitian C the transposed operand is also conjugated.
template <typename T>
struct Product {
  cublasFillMode_t fill;
  cublasOperation_t op;
  int n, k;
  const T* a;
  int lda;
  const T* b;
  int ldb;
  T* c;
  int ldc;
  bool hermitian;
  bool adds_turned;  // and alpha' op(B) op(A)' is added
};

template <typename F, typename G, typename T>
cublasStatus_t multiply_to_half(cublasHandle_t handle, const char* name, const Product<T>& p,
                                const F* alpha, const G* beta) {
  const auto a = Matrix<T>::operand(p.a, p.op, p.n, p.k, p.lda);
  const auto b = Matrix<T>::operand(p.b, p.op, p.n, p.k, p.ldb);
  const auto shape = p.hermitian ? Shape::kHermitian : Shape::kSymmetric;
  const auto result = Matrix<T>::half(p.c, shape, p.fill, p.n, p.ldc);
  if (!a.valid() || !b.valid() || !result.valid()) return CUBLAS_STATUS_INVALID_VALUE;
  return run(
      handle, name,
      [=, alpha_at = Factor<F>(handle, alpha), beta_at = Factor<G>(handle, beta)](Call& call) {
        const Sum<T> f = Number<F>::load(alpha_at.get(call));
        const Sum<T> g = Number<G>::load(beta_at.get(call));
        const auto turn = [&](Sum<T> z) { return p.hermitian ? conjugate(z) : z; };
        const bool multiplies = f != Sum<T>(0);
        if (multiplies) {
          a.look(call, "matrix A", true, false);
          if (p.b != p.a) b.look(call, "matrix B", true, false);
        }
        result.look(call, "matrix C", g != Sum<T>(0), true);
        if (!call.valid) return;
        std::vector<Sum<T>> x, y;
        if (multiplies) x = a.whole(p.op), y = b.whole(p.op);
        const int64_t n = p.n, terms = multiplies ? p.k : 0;
        for (int64_t j = 0; j < n; ++j) {
          for (int64_t i = 0; i < n; ++i) {
            if (!is_stored(p.fill, i, j)) continue;
            Sum<T> sum = 0, other = 0;
            for (int64_t l = 0; l < terms; ++l) {
              sum += x[i + l * n] * turn(y[j + l * n]);
              if (p.adds_turned) other += y[i + l * n] * turn(x[j + l * n]);
            }
            T& place = p.c[i + j * p.ldc];
            update(place, Sum<T>(1), f * sum + turn(f) * other, g);
            if (p.hermitian && i == j) Number<T>::store(place, real_part(Number<T>::load(place)));
          }
        }
      });
}

// Solves op(A) X = alpha B, or X op(A) = alpha B, in place; both are checked already.
template <typename T>
void solve_all(Call& call, cublasSideMode_t side, const Matrix<T>& a, cublasOperation_t op, int m,
               int n, Sum<T> alpha, T* b, int ldb) {
  const bool solves = alpha != Sum<T>(0);
  if (solves) a.look(call, "matrix A", true, false);
  Matrix<T>::general(b, m, n, ldb).look(call, "matrix B", solves, true);
  if (!call.valid) return;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int64_t size = a.rows();
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i)
      update(b[i + j * ldb], Sum<T>(0), Sum<T>(0), alpha);
  }
  if (!solves) return;
  std::vector<Sum<T>> all = a.whole(op);
  // X op(A) = B is op(A)' X' = B': the rows of B are what is solved for.
  for (int64_t j = 0; !left && j < size; ++j) {
    for (int64_t i = 0; i < j; ++i)
      std::swap(all[i + j * size], all[j + i * size]);
  }
  const bool is_lower = (a.is_lower() == (op == CUBLAS_OP_N)) == left;
  for (int64_t i = 0; i < (left ? n : m); ++i)
    solve(all, is_lower, size, b + (left ? i * ldb : i), left ? 1 : ldb);
}

// Copies a triangle from one storage to another.
template <typename T>
cublasStatus_t copy_triangle(cublasHandle_t handle, const char* name, const Matrix<T>& from,
                             const T* in, const Matrix<T>& to, T* out) {
  if (!from.valid() || !to.valid()) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=](Call& call) {
    from.look(call, "matrix A", true, false);
    to.look(call, "matrix B", false, true);
    for (int64_t j = 0; call.valid && j < to.columns(); ++j) {
      for (int64_t i = 0; i < to.rows(); ++i) {
        if (to.has(i, j)) out[to.index(i, j)] = in[from.index(i, j)];
      }
    }
  });
}

template <typename T>
Matrix<T> triangle(const T* a, cublasSideMode_t side, cublasFillMode_t fill,
                   cublasDiagType_t diagonal, int m, int n, int lda) {
  const int size = side == CUBLAS_SIDE_LEFT ? m : n;
  return Matrix<T>::half(a, Shape::kTriangular, fill, size, lda).with_diagonal(diagonal);
}

}  // namespace

#define SYMMETRIC(L, T, F, G, mm, rk, r2k, rkx, shape)                                             \
  cublasStatus_t cublas##L##mm(cublasHandle_t handle, cublasSideMode_t side,                       \
                               cublasFillMode_t fill, int m, int n, const T* alpha, const T* a,    \
                               int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {       \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                             \
    return multiply(handle, "cublas" #L#mm, side, Matrix<T>::half(a, shape, fill, size, lda),      \
                    CUBLAS_OP_N, m, n, alpha, b, ldb, Factor<T>(handle, beta), c, ldc);            \
  }                                                                                                \
  cublasStatus_t cublas##L##rk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, \
                               int n, int k, const F* alpha, const T* a, int lda, const F* beta,   \
                               T* c, int ldc) {                                                    \
    const Product<T> product = {                                                                   \
        fill, op, n, k, a, lda, a, lda, c, ldc, shape == Shape::kHermitian, false};                \
    return multiply_to_half(handle, "cublas" #L#rk, product, alpha, beta);                         \
  }                                                                                                \
  cublasStatus_t cublas##L##r2k(cublasHandle_t handle, cublasFillMode_t fill,                      \
                                cublasOperation_t op, int n, int k, const T* alpha, const T* a,    \
                                int lda, const T* b, int ldb, const G* beta, T* c, int ldc) {      \
    const Product<T> product = {                                                                   \
        fill, op, n, k, a, lda, b, ldb, c, ldc, shape == Shape::kHermitian, true};                 \
    return multiply_to_half(handle, "cublas" #L#r2k, product, alpha, beta);                        \
  }                                                                                                \
  cublasStatus_t cublas##L##rkx(cublasHandle_t handle, cublasFillMode_t fill,                      \
                                cublasOperation_t op, int n, int k, const T* alpha, const T* a,    \
                                int lda, const T* b, int ldb, const G* beta, T* c, int ldc) {      \
    const Product<T> product = {                                                                   \
        fill, op, n, k, a, lda, b, ldb, c, ldc, shape == Shape::kHermitian, false};                \
    return multiply_to_half(handle, "cublas" #L#rkx, product, alpha, beta);                        \
  }
SYMMETRIC(S, float, float, float, symm, syrk, syr2k, syrkx, Shape::kSymmetric)
SYMMETRIC(D, double, double, double, symm, syrk, syr2k, syrkx, Shape::kSymmetric)
SYMMETRIC(C, cuComplex, cuComplex, cuComplex, symm, syrk, syr2k, syrkx, Shape::kSymmetric)
SYMMETRIC(Z, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, symm, syrk, syr2k, syrkx,
          Shape::kSymmetric)
SYMMETRIC(C, cuComplex, float, float, hemm, herk, her2k, herkx, Shape::kHermitian)
SYMMETRIC(Z, cuDoubleComplex, double, double, hemm, herk, her2k, herkx, Shape::kHermitian)
#undef SYMMETRIC

#define OTHERS(L, T)                                                                               \
  cublasStatus_t cublas##L##trmm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, cublasOperation_t op,                      \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,          \
                                 const T* a, int lda, const T* b, int ldb, T* c, int ldc) {        \
    return multiply(handle, "cublas" #L "trmm", side,                                              \
                    triangle(a, side, fill, diagonal, m, n, lda), op, m, n, alpha, b, ldb,         \
                    Factor<T>(handle, nullptr), c, ldc);                                           \
  }                                                                                                \
  cublasStatus_t cublas##L##trsm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, cublasOperation_t op,                      \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,          \
                                 const T* a, int lda, T* b, int ldb) {                             \
    const Matrix<T> matrix = triangle(a, side, fill, diagonal, m, n, lda);                         \
    if (!matrix.valid() || !Matrix<T>::general(b, m, n, ldb).valid())                              \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return run(handle, "cublas" #L "trsm", [=, alpha_at = Factor<T>(handle, alpha)](Call& call) {  \
      const auto f = Number<T>::load(alpha_at.get(call));                                          \
      solve_all(call, side, matrix, op, m, n, f, b, ldb);                                          \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublas##L##trsmBatched(                                                           \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,   \
      cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* const a[], int lda,        \
      T* const b[], int ldb, int count) {                                                          \
    if (!triangle(static_cast<const T*>(nullptr), side, fill, diagonal, m, n, lda).valid() ||      \
        !Matrix<T>::general(static_cast<const T*>(nullptr), m, n, ldb).valid() || count < 0)       \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return run(handle, "cublas" #L "trsmBatched",                                                  \
               [=, alpha_at = Factor<T>(handle, alpha)](Call& call) {                              \
                 const auto f = Number<T>::load(alpha_at.get(call));                               \
                 call.reads(a, count, 1, count, "the pointers to A");                              \
                 call.reads(b, count, 1, count, "the pointers to B");                              \
                 for (int i = 0; i < count && call.valid; ++i)                                     \
                   solve_all(call, side, triangle(a[i], side, fill, diagonal, m, n, lda), op, m,   \
                             n, f, b[i], ldb);                                                     \
               });                                                                                 \
  }                                                                                                \
  cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t op_a,                    \
                                 cublasOperation_t op_b, int m, int n, const T* alpha, const T* a, \
                                 int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {     \
    const auto x = Matrix<T>::operand(a, op_a, m, n, lda);                                         \
    const auto y = Matrix<T>::operand(b, op_b, m, n, ldb);                                         \
    const Matrix<T> result = Matrix<T>::general(c, m, n, ldc);                                     \
    if (!x.valid() || !y.valid() || !result.valid()) return CUBLAS_STATUS_INVALID_VALUE;           \
    return run(                                                                                    \
        handle, "cublas" #L "geam",                                                                \
        [=, alpha_at = Factor<T>(handle, alpha), beta_at = Factor<T>(handle, beta)](Call& call) {  \
          const auto f = Number<T>::load(alpha_at.get(call));                                      \
          const auto g = Number<T>::load(beta_at.get(call));                                       \
          const bool uses_a = f != Sum<T>(0), uses_b = g != Sum<T>(0);                             \
          if (uses_a) x.look(call, "matrix A", true, false);                                       \
          if (uses_b) y.look(call, "matrix B", true, false);                                       \
          result.look(call, "matrix C", false, true);                                              \
          if (!call.valid) return;                                                                 \
          std::vector<Sum<T>> left, right;                                                         \
          if (uses_a) left = x.whole(op_a);                                                        \
          if (uses_b) right = y.whole(op_b);                                                       \
          for (int64_t j = 0; j < n; ++j) {                                                        \
            for (int64_t i = 0; i < m; ++i) {                                                      \
              Sum<T> sum = 0;                                                                      \
              if (uses_a) sum += f * left[i + j * m];                                              \
              if (uses_b) sum += g * right[i + j * m];                                             \
              Number<T>::store(c[i + j * ldc], sum);                                               \
            }                                                                                      \
          }                                                                                        \
        });                                                                                        \
  }                                                                                                \
  cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,       \
                                 const T* a, int lda, const T* x, int incx, T* c, int ldc) {       \
    const auto in = Matrix<T>::general(a, m, n, lda), out = Matrix<T>::general(c, m, n, ldc);      \
    if (!in.valid() || !out.valid()) return CUBLAS_STATUS_INVALID_VALUE;                           \
    return run(handle, "cublas" #L "dgmm", [=](Call& call) {                                       \
      const bool left = side == CUBLAS_SIDE_LEFT;                                                  \
      in.look(call, "matrix A", true, false);                                                      \
      const T* factors = call.reads_vector(x, left ? m : n, incx, "vector x");                     \
      out.look(call, "matrix C", false, true);                                                     \
      for (int64_t j = 0; call.valid && j < n; ++j) {                                              \
        for (int64_t i = 0; i < m; ++i)                                                            \
          Number<T>::store(c[i + j * ldc], Number<T>::load(a[i + j * lda]) *                       \
                                               Number<T>::load(factors[(left ? i : j) * incx]));   \
      }                                                                                            \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublas##L##tpttr(cublasHandle_t handle, cublasFillMode_t fill, int n,             \
                                  const T* ap, T* a, int lda) {                                    \
    return copy_triangle(handle, "cublas" #L "tpttr",                                              \
                         Matrix<T>::half_packed(ap, Shape::kTriangular, fill, n), ap,              \
                         Matrix<T>::half(a, Shape::kTriangular, fill, n, lda), a);                 \
  }                                                                                                \
  cublasStatus_t cublas##L##trttp(cublasHandle_t handle, cublasFillMode_t fill, int n, const T* a, \
                                  int lda, T* ap) {                                                \
    return copy_triangle(handle, "cublas" #L "trttp",                                              \
                         Matrix<T>::half(a, Shape::kTriangular, fill, n, lda), a,                  \
                         Matrix<T>::half_packed(ap, Shape::kTriangular, fill, n), ap);             \
  }
OTHERS(S, float)
OTHERS(D, double)
OTHERS(C, cuComplex)
OTHERS(Z, cuDoubleComplex)
#undef OTHERS

// Complex numbers of one type only; 3m is a way to multiply complex numbers, which the result does
// not show.
#define COMPLEX_EX(function, F, same)                                                         \
  cublasStatus_t function(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, \
                          int n, int k, const F* alpha, const void* a, cudaDataType type_a,   \
                          int lda, const F* beta, void* c, cudaDataType type_c, int ldc) {    \
    if (type_a != CUDA_C_32F || type_c != CUDA_C_32F) return CUBLAS_STATUS_NOT_SUPPORTED;     \
    return same(handle, fill, op, n, k, alpha, static_cast<const cuComplex*>(a), lda, beta,   \
                static_cast<cuComplex*>(c), ldc);                                             \
  }
COMPLEX_EX(cublasCsyrkEx, cuComplex, cublasCsyrk)
COMPLEX_EX(cublasCsyrk3mEx, cuComplex, cublasCsyrk)
COMPLEX_EX(cublasCherkEx, float, cublasCherk)
COMPLEX_EX(cublasCherk3mEx, float, cublasCherk)
#undef COMPLEX_EX

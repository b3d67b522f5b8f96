// cuBLAS: its second and third level, matrices with vectors and with each other.
#include <algorithm>
#include <vector>

#include "cublas_v2.h"
#include "extras/cublas_call.h"
#include "extras/cublas_number.h"

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

template <typename T>
T conjugate(T x) {
  return x;
}
template <typename T>
std::complex<T> conjugate(std::complex<T> z) {
  return std::conj(z);
}

// Returns op(A) as columns without gaps, in the type of the sums.
template <typename Sum, typename T>
std::vector<Sum> packed(const T* a, int64_t ld, cublasOperation_t op, int64_t rows,
                        int64_t columns) {
  std::vector<Sum> to(static_cast<size_t>(rows * columns));
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t i = 0; i < rows; ++i) {
      Sum value =
          static_cast<Sum>(Number<T>::load(op == CUBLAS_OP_N ? a[i + j * ld] : a[j + i * ld]));
      to[i + j * rows] = op == CUBLAS_OP_C ? conjugate(value) : value;
    }
  }
  return to;
}

template <typename T>
struct Operand {
  const T* data;
  int64_t ld, rows, columns;  // as it lies in memory
};
template <typename T>
Operand<T> operand(const T* data, int ld, cublasOperation_t op, int rows, int columns) {
  return op == CUBLAS_OP_N ? Operand<T>{data, ld, rows, columns}
                           : Operand<T>{data, ld, columns, rows};
}

// g++ makes vectors of such a loop with -O3 only, Clang with -O2 as well.
#ifdef __clang__
#define CUDACPU_VECTORS
#else
#define CUDACPU_VECTORS __attribute__((optimize("O3")))
#endif

// A block of A, which stays in the processor's caches while all columns of C use it.
constexpr int64_t kBlockRows = 256, kBlockColumns = 128;

// Adds columns of A to a column of C, each multiplied by its factor.
template <typename Sum>
CUDACPU_VECTORS void add_columns(const Sum* a, const Sum* factors, Sum* c, int64_t m, int64_t rows,
                                 int64_t columns) {
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

// C = alpha op(A) op(B) + beta C. C is not read where beta is 0: it may hold anything.
template <typename Sum, typename A, typename B, typename C>
void multiply(Call& call, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
              Sum alpha, const A* a, int lda, const B* b, int ldb, Sum beta, C* c, int ldc) {
  const Operand<A> left = operand(a, lda, op_a, m, k);
  const Operand<B> right = operand(b, ldb, op_b, k, n);
  call.reads(a, left.rows, left.columns, lda, "matrix A");
  call.reads(b, right.rows, right.columns, ldb, "matrix B");
  call.writes(c, m, n, ldc, "matrix C", beta != Sum(0));
  if (!call.valid) return;
  const std::vector<Sum> pa = packed<Sum>(a, lda, op_a, m, k), pb = packed<Sum>(b, ldb, op_b, k, n);
  std::vector<Sum> sums(static_cast<size_t>(m) * static_cast<size_t>(n));
  multiply_columns(pa.data(), pb.data(), sums.data(), m, n, k);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      C& place = c[i + j * ldc];
      Sum value = alpha * sums[i + j * m];
      if (beta != Sum(0)) value += beta * static_cast<Sum>(Number<C>::load(place));
      Number<C>::store(place, value);
    }
  }
}

bool fits(cublasOperation_t op, int ld, int rows, int columns) {
  return ld >= std::max(1, op == CUBLAS_OP_N ? rows : columns);
}

bool fits(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, int lda, int ldb,
          int ldc) {
  return m >= 0 && n >= 0 && k >= 0 && fits(op_a, lda, m, k) && fits(op_b, ldb, k, n) &&
         ldc >= std::max(1, m);
}

bool is_stored(cublasFillMode_t fill, int64_t i, int64_t j) {
  return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

// A symmetric matrix of which one triangle is stored, as all of its elements.
template <typename T>
std::vector<T> whole(const T* a, int64_t ld, cublasFillMode_t fill, int64_t n) {
  std::vector<T> to(static_cast<size_t>(n * n));
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i)
      to[i + j * n] = is_stored(fill, i, j) ? a[i + j * ld] : a[j + i * ld];
  }
  return to;
}

// Solves op(A) x = b in place, with A triangular; x's elements lie `inc` apart.
template <typename T>
void solve(const T* a, int64_t ld, cublasFillMode_t fill, cublasOperation_t op,
           cublasDiagType_t diagonal, int64_t n, T* x, int64_t inc) {
  const bool forward = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = forward ? step : n - 1 - step;
    T value = x[i * inc];
    for (int64_t j = forward ? 0 : i + 1; j < (forward ? i : n); ++j)
      value -= (op == CUBLAS_OP_N ? a[i + j * ld] : a[j + i * ld]) * x[j * inc];
    x[i * inc] = diagonal == CUBLAS_DIAG_UNIT ? value : value / a[i + i * ld];
  }
}

// Computes the matrices of a batch one after the other.
template <typename Sum, typename A, typename C>
cublasStatus_t multiply_batch(cublasHandle_t handle, const char* name, cublasOperation_t op_a,
                              cublasOperation_t op_b, int m, int n, int k, Factor<Sum> alpha,
                              const A* a, int lda, long long stride_a, const A* b, int ldb,
                              long long stride_b, Factor<Sum> beta, C* c, int ldc,
                              long long stride_c, int count) {
  if (!fits(op_a, op_b, m, n, k, lda, ldb, ldc) || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, name, [=](Call& call) {
    const auto f = Number<Sum>::load(alpha.get(call)), g = Number<Sum>::load(beta.get(call));
    for (long long i = 0; i < count && call.valid; ++i)
      multiply(call, op_a, op_b, m, n, k, f, a + i * stride_a, lda, b + i * stride_b, ldb, g,
               c + i * stride_c, ldc);
  });
}

}  // namespace

#define GEMM(L, T)                                                                                 \
  cublasStatus_t cublas##L##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,                \
      long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count) {           \
    return multiply_batch(handle, "cublas" #L "gemmStridedBatched", op_a, op_b, m, n, k,           \
                          Factor<T>(handle, alpha), a, lda, stride_a, b, ldb, stride_b,            \
                          Factor<T>(handle, beta), c, ldc, stride_c, count);                       \
  }                                                                                                \
  cublasStatus_t cublas##L##gemm(                                                                  \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {    \
    return multiply_batch(handle, "cublas" #L "gemm", op_a, op_b, m, n, k,                         \
                          Factor<T>(handle, alpha), a, lda, 0, b, ldb, 0, Factor<T>(handle, beta), \
                          c, ldc, 0, 1);                                                           \
  }                                                                                                \
  cublasStatus_t cublas##L##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,     \
      T* const c[], int ldc, int count) {                                                          \
    if (!fits(op_a, op_b, m, n, k, lda, ldb, ldc) || count < 0)                                    \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return run(                                                                                    \
        handle, "cublas" #L "gemmBatched",                                                         \
        [=, alpha_at = Factor<T>(handle, alpha), beta_at = Factor<T>(handle, beta)](Call& call) {  \
          call.reads(a, count, 1, count, "the pointers to A");                                     \
          call.reads(b, count, 1, count, "the pointers to B");                                     \
          call.reads(c, count, 1, count, "the pointers to C");                                     \
          const auto f = Number<T>::load(alpha_at.get(call));                                      \
          const auto g = Number<T>::load(beta_at.get(call));                                       \
          for (int i = 0; i < count && call.valid; ++i)                                            \
            multiply(call, op_a, op_b, m, n, k, f, a[i], lda, b[i], ldb, g, c[i], ldc);            \
        });                                                                                        \
  }
GEMM(S, float)
GEMM(D, double)
GEMM(C, cuComplex)
GEMM(Z, cuDoubleComplex)
GEMM(H, __half)
#undef GEMM

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  constexpr const char* kName = "cublasGemmEx";
  if (type_a != type_b) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC) {
    if (type_a != CUDA_R_8I || type_c != CUDA_R_32I) return CUBLAS_STATUS_NOT_SUPPORTED;
    return multiply_batch(
        handle, kName, op_a, op_b, m, n, k, Factor<int>(handle, static_cast<const int*>(alpha)),
        static_cast<const signed char*>(a), lda, stride_a, static_cast<const signed char*>(b), ldb,
        stride_b, Factor<int>(handle, static_cast<const int*>(beta)), static_cast<int*>(c), ldc,
        stride_c, count);
  }
  return with_type(type_a, [&](auto* in) {
    return with_type(type_c, [&](auto* out) {
      using A = std::remove_const_t<std::remove_pointer_t<decltype(in)>>;
      using C = std::remove_const_t<std::remove_pointer_t<decltype(out)>>;
      const auto go = [&](auto factor) {
        using Sum = decltype(factor);
        return multiply_batch(handle, kName, op_a, op_b, m, n, k,
                              Factor<Sum>(handle, static_cast<const Sum*>(alpha)),
                              static_cast<const A*>(a), lda, stride_a, static_cast<const A*>(b),
                              ldb, stride_b, Factor<Sum>(handle, static_cast<const Sum*>(beta)),
                              static_cast<C*>(c), ldc, stride_c, count);
      };
      if (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC)
        return go(double());
      if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC)
        return go(__half());
      return go(float());
    });
  });
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, 0, b,
                                    type_b, ldb, 0, beta, c, type_c, ldc, 0, 1, compute, algorithm);
}

#define LEVEL_2(L, T)                                                                             \
  cublasStatus_t cublas##L##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,       \
                                 const T* alpha, const T* a, int lda, const T* x, int incx,       \
                                 const T* beta, T* y, int incy) {                                 \
    if (m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0)                         \
      return CUBLAS_STATUS_INVALID_VALUE;                                                         \
    return run(                                                                                   \
        handle, "cublas" #L "gemv",                                                               \
        [=, alpha_at = Factor<T>(handle, alpha), beta_at = Factor<T>(handle, beta)](Call& call) { \
          const T f = alpha_at.get(call), g = beta_at.get(call);                                  \
          const int64_t rows = op == CUBLAS_OP_N ? m : n, terms = op == CUBLAS_OP_N ? n : m;      \
          call.reads(a, m, n, lda, "matrix A");                                                   \
          const T* in = call.reads_vector(x, terms, incx, "vector x");                            \
          T* out = call.writes_vector(y, rows, incy, "vector y", g != 0);                         \
          for (int64_t i = 0; call.valid && i < rows; ++i) {                                      \
            T sum = 0;                                                                            \
            for (int64_t j = 0; j < terms; ++j)                                                   \
              sum += (op == CUBLAS_OP_N ? a[i + j * lda] : a[j + i * lda]) * in[j * incx];        \
            out[i * incy] = f * sum + (g != 0 ? g * out[i * incy] : 0);                           \
          }                                                                                       \
        });                                                                                       \
  }                                                                                               \
  cublasStatus_t cublas##L##symv(cublasHandle_t handle, cublasFillMode_t fill, int n,             \
                                 const T* alpha, const T* a, int lda, const T* x, int incx,       \
                                 const T* beta, T* y, int incy) {                                 \
    if (n < 0 || lda < std::max(1, n) || incx == 0 || incy == 0)                                  \
      return CUBLAS_STATUS_INVALID_VALUE;                                                         \
    return run(                                                                                   \
        handle, "cublas" #L "symv",                                                               \
        [=, alpha_at = Factor<T>(handle, alpha), beta_at = Factor<T>(handle, beta)](Call& call) { \
          const T f = alpha_at.get(call), g = beta_at.get(call);                                  \
          call.reads(a, n, n, lda, "matrix A");                                                   \
          const T* in = call.reads_vector(x, n, incx, "vector x");                                \
          T* out = call.writes_vector(y, n, incy, "vector y", g != 0);                            \
          if (!call.valid) return;                                                                \
          const std::vector<T> all = whole(a, lda, fill, n);                                      \
          for (int64_t i = 0; i < n; ++i) {                                                       \
            T sum = 0;                                                                            \
            for (int64_t j = 0; j < n; ++j)                                                       \
              sum += all[i + j * n] * in[j * incx];                                               \
            out[i * incy] = f * sum + (g != 0 ? g * out[i * incy] : 0);                           \
          }                                                                                       \
        });                                                                                       \
  }                                                                                               \
  cublasStatus_t cublas##L##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,  \
                                int incx, const T* y, int incy, T* a, int lda) {                  \
    if (m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0)                         \
      return CUBLAS_STATUS_INVALID_VALUE;                                                         \
    return run(handle, "cublas" #L "ger", [=, alpha_at = Factor<T>(handle, alpha)](Call& call) {  \
      const T f = alpha_at.get(call);                                                             \
      const T* left = call.reads_vector(x, m, incx, "vector x");                                  \
      const T* right = call.reads_vector(y, n, incy, "vector y");                                 \
      call.writes(a, m, n, lda, "matrix A", true);                                                \
      for (int64_t j = 0; call.valid && j < n; ++j) {                                             \
        for (int64_t i = 0; i < m; ++i)                                                           \
          a[i + j * lda] += f * left[i * incx] * right[j * incy];                                 \
      }                                                                                           \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##trsv(cublasHandle_t handle, cublasFillMode_t fill,                    \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,          \
                                 const T* a, int lda, T* x, int incx) {                           \
    if (n < 0 || lda < std::max(1, n) || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;           \
    return run(handle, "cublas" #L "trsv", [=](Call& call) {                                      \
      call.reads(a, n, n, lda, "matrix A");                                                       \
      T* out = call.writes_vector(x, n, incx, "vector x");                                        \
      if (call.valid) solve(a, lda, fill, op, diagonal, n, out, incx);                            \
    });                                                                                           \
  }
LEVEL_2(S, float)
LEVEL_2(D, double)
#undef LEVEL_2

#define LEVEL_3(L, T)                                                                              \
  cublasStatus_t cublas##L##symm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, int m, int n, const T* alpha, const T* a,  \
                                 int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {     \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                             \
    if (m < 0 || n < 0 || lda < std::max(1, size) || std::min(ldb, ldc) < std::max(1, m))          \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return run(                                                                                    \
        handle, "cublas" #L "symm",                                                                \
        [=, alpha_at = Factor<T>(handle, alpha), beta_at = Factor<T>(handle, beta)](Call& call) {  \
          const T f = alpha_at.get(call), g = beta_at.get(call);                                   \
          call.reads(a, size, size, lda, "matrix A");                                              \
          call.reads(b, m, n, ldb, "matrix B");                                                    \
          call.writes(c, m, n, ldc, "matrix C", g != 0);                                           \
          if (!call.valid) return;                                                                 \
          const std::vector<T> all = whole(a, lda, fill, size);                                    \
          const std::vector<T> other = packed<T>(b, ldb, CUBLAS_OP_N, m, n);                       \
          std::vector<T> sums(other.size());                                                       \
          const bool left = side == CUBLAS_SIDE_LEFT;                                              \
          multiply_columns((left ? all : other).data(), (left ? other : all).data(), sums.data(),  \
                           m, n, size);                                                            \
          for (int64_t j = 0; j < n; ++j) {                                                        \
            for (int64_t i = 0; i < m; ++i) {                                                      \
              T& place = c[i + j * ldc];                                                           \
              place = f * sums[i + j * m] + (g != 0 ? g * place : 0);                              \
            }                                                                                      \
          }                                                                                        \
        });                                                                                        \
  }                                                                                                \
  cublasStatus_t cublas##L##syrk(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, int n, int k, const T* alpha, const T* a,   \
                                 int lda, const T* beta, T* c, int ldc) {                          \
    if (n < 0 || k < 0 || !fits(op, lda, n, k) || ldc < std::max(1, n))                            \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return run(                                                                                    \
        handle, "cublas" #L "syrk",                                                                \
        [=, alpha_at = Factor<T>(handle, alpha), beta_at = Factor<T>(handle, beta)](Call& call) {  \
          const T f = alpha_at.get(call), g = beta_at.get(call);                                   \
          const Operand<T> in = operand(a, lda, op, n, k);                                         \
          call.reads(a, in.rows, in.columns, lda, "matrix A");                                     \
          call.writes(c, n, n, ldc, "matrix C", g != 0);                                           \
          if (!call.valid) return;                                                                 \
          const std::vector<T> rows = packed<T>(a, lda, op, n, k);                                 \
          for (int64_t j = 0; j < n; ++j) {                                                        \
            for (int64_t i = 0; i < n; ++i) {                                                      \
              if (!is_stored(fill, i, j)) continue;                                                \
              T sum = 0;                                                                           \
              for (int64_t l = 0; l < k; ++l)                                                      \
                sum += rows[i + l * n] * rows[j + l * n];                                          \
              T& place = c[i + j * ldc];                                                           \
              place = f * sum + (g != 0 ? g * place : 0);                                          \
            }                                                                                      \
          }                                                                                        \
        });                                                                                        \
  }                                                                                                \
  cublasStatus_t cublas##L##trsm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, cublasOperation_t op,                      \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,          \
                                 const T* a, int lda, T* b, int ldb) {                             \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                             \
    if (m < 0 || n < 0 || lda < std::max(1, size) || ldb < std::max(1, m))                         \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return run(handle, "cublas" #L "trsm", [=, alpha_at = Factor<T>(handle, alpha)](Call& call) {  \
      const T f = alpha_at.get(call);                                                              \
      call.reads(a, size, size, lda, "matrix A");                                                  \
      call.writes(b, m, n, ldb, "matrix B", true);                                                 \
      if (!call.valid) return;                                                                     \
      for (int64_t j = 0; j < n; ++j) {                                                            \
        for (int64_t i = 0; i < m; ++i)                                                            \
          b[i + j * ldb] *= f;                                                                     \
      }                                                                                            \
      /* X op(A) = B is op(A)' X' = B': the rows of B are what is solved for. */                   \
      const bool left = side == CUBLAS_SIDE_LEFT;                                                  \
      const auto turned = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;                           \
      for (int64_t i = 0; i < (left ? n : m); ++i)                                                 \
        solve(a, lda, fill, left ? op : turned, diagonal, size, b + (left ? i * ldb : i),          \
              left ? 1 : ldb);                                                                     \
    });                                                                                            \
  }                                                                                                \
  cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t op_a,                    \
                                 cublasOperation_t op_b, int m, int n, const T* alpha, const T* a, \
                                 int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {     \
    if (m < 0 || n < 0 || !fits(op_a, lda, m, n) || !fits(op_b, ldb, m, n) ||                      \
        ldc < std::max(1, m))                                                                      \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    return run(                                                                                    \
        handle, "cublas" #L "geam",                                                                \
        [=, alpha_at = Factor<T>(handle, alpha), beta_at = Factor<T>(handle, beta)](Call& call) {  \
          const T f = alpha_at.get(call), g = beta_at.get(call);                                   \
          const Operand<T> left = operand(a, lda, op_a, m, n);                                     \
          const Operand<T> right = operand(b, ldb, op_b, m, n);                                    \
          if (f != 0) call.reads(a, left.rows, left.columns, lda, "matrix A");                     \
          if (g != 0) call.reads(b, right.rows, right.columns, ldb, "matrix B");                   \
          call.writes(c, m, n, ldc, "matrix C", false);                                            \
          if (!call.valid) return;                                                                 \
          std::vector<T> x(static_cast<size_t>(m) * static_cast<size_t>(n)), y(x.size());          \
          if (f != 0) x = packed<T>(a, lda, op_a, m, n);                                           \
          if (g != 0) y = packed<T>(b, ldb, op_b, m, n);                                           \
          for (int64_t j = 0; j < n; ++j) {                                                        \
            for (int64_t i = 0; i < m; ++i)                                                        \
              c[i + j * ldc] = f * x[i + j * m] + g * y[i + j * m];                                \
          }                                                                                        \
        });                                                                                        \
  }                                                                                                \
  cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,       \
                                 const T* a, int lda, const T* x, int incx, T* c, int ldc) {       \
    if (m < 0 || n < 0 || std::min(lda, ldc) < std::max(1, m)) return CUBLAS_STATUS_INVALID_VALUE; \
    return run(handle, "cublas" #L "dgmm", [=](Call& call) {                                       \
      const bool left = side == CUBLAS_SIDE_LEFT;                                                  \
      call.reads(a, m, n, lda, "matrix A");                                                        \
      const T* factors = call.reads_vector(x, left ? m : n, incx, "vector x");                     \
      call.writes(c, m, n, ldc, "matrix C", false);                                                \
      for (int64_t j = 0; call.valid && j < n; ++j) {                                              \
        for (int64_t i = 0; i < m; ++i)                                                            \
          c[i + j * ldc] = a[i + j * lda] * factors[(left ? i : j) * incx];                        \
      }                                                                                            \
    });                                                                                            \
  }
LEVEL_3(S, float)
LEVEL_3(D, double)
#undef LEVEL_3

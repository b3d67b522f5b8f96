// cuBLAS: products of matrices, alone and in batches.
#include <algorithm>
#include <initializer_list>
#include <vector>

#include "cublas/products.h"
#include "cublas/stored.h"
#include "cublas_v2.h"

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

// C = alpha op(A) op(B) + beta C. C is not read where beta is 0, nor are A and B where alpha is 0:
// the elements may hold anything.
template <typename S, typename A, typename B, typename C>
void multiply(Call& call, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
              S alpha, const A* a, int lda, const B* b, int ldb, S beta, C* c, int ldc) {
  const auto left = Matrix<A>::operand(a, op_a, m, k, lda);
  const auto right = Matrix<B>::operand(b, op_b, k, n, ldb);
  const bool multiplies = alpha != S(0);
  if (multiplies) {
    left.look(call, "matrix A", true, false);
    right.look(call, "matrix B", true, false);
  }
  call.writes(c, m, n, ldc, "matrix C", beta != S(0));
  if (!call.valid) return;
  std::vector<S> sums(static_cast<size_t>(m) * static_cast<size_t>(n));
  if (multiplies) {
    const auto pa = left.template whole<S>(op_a);
    const auto pb = right.template whole<S>(op_b);
    multiply_columns(pa.data(), pb.data(), sums.data(), m, n, k);
  }
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i)
      update(c[i + j * ldc], alpha, sums[i + j * m], beta);
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

// Computes the matrices of a batch one after the other.
template <typename F, typename A, typename C>
cublasStatus_t multiply_batch(cublasHandle_t handle, const char* name, cublasOperation_t op_a,
                              cublasOperation_t op_b, int m, int n, int k, const F* alpha,
                              const A* a, int lda, long long stride_a, const A* b, int ldb,
                              long long stride_b, const F* beta, C* c, int ldc, long long stride_c,
                              int count) {
  if (!fits(op_a, op_b, m, n, k, lda, ldb, ldc) || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(
      handle, name,
      [=, alpha_at = Factor<F>(handle, alpha), beta_at = Factor<F>(handle, beta)](Call& call) {
        const auto f = Number<F>::load(alpha_at.get(call)), g = Number<F>::load(beta_at.get(call));
        for (long long i = 0; i < count && call.valid; ++i)
          multiply(call, op_a, op_b, m, n, k, f, a + i * stride_a, lda, b + i * stride_b, ldb, g,
                   c + i * stride_c, ldc);
      });
}

// The same for matrices to which arrays on the device point.
template <typename F, typename A, typename C>
cublasStatus_t multiply_pointed(cublasHandle_t handle, const char* name, cublasOperation_t op_a,
                                cublasOperation_t op_b, int m, int n, int k, const F* alpha,
                                const A* const* a, int lda, const A* const* b, int ldb,
                                const F* beta, C* const* c, int ldc, int count) {
  if (!fits(op_a, op_b, m, n, k, lda, ldb, ldc) || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(
      handle, name,
      [=, alpha_at = Factor<F>(handle, alpha), beta_at = Factor<F>(handle, beta)](Call& call) {
        call.reads(a, count, 1, count, "the pointers to A");
        call.reads(b, count, 1, count, "the pointers to B");
        call.reads(c, count, 1, count, "the pointers to C");
        const auto f = Number<F>::load(alpha_at.get(call)), g = Number<F>::load(beta_at.get(call));
        for (int i = 0; i < count && call.valid; ++i)
          multiply(call, op_a, op_b, m, n, k, f, a[i], lda, b[i], ldb, g, c[i], ldc);
      });
}

bool is_one_of(cublasComputeType_t type, std::initializer_list<cublasComputeType_t> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// Calls `go` with null pointers to the types of A and B, of C, and of alpha and beta, for the
// combinations that cuBLAS has.
template <typename Go>
cublasStatus_t with_types(cudaDataType type_a, cudaDataType type_b, cudaDataType type_c,
                          cublasComputeType_t compute, Go go) {
  const auto are = [=](cudaDataType a, cudaDataType c) {
    return type_a == a && type_b == a && type_c == c;
  };
  static float* const of_float = nullptr;
  static double* const of_double = nullptr;
  static __half* const of_half = nullptr;
  static __nv_bfloat16* const of_bfloat16 = nullptr;
  static cuComplex* const of_complex = nullptr;
  static cuDoubleComplex* const of_double_complex = nullptr;
  static int* const of_int = nullptr;
  if (is_one_of(compute, {CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32I_PEDANTIC})) {
    if (are(CUDA_R_8I, CUDA_R_32I)) return go(static_cast<signed char*>(nullptr), of_int, of_int);
  } else if (is_one_of(compute, {CUBLAS_COMPUTE_16F, CUBLAS_COMPUTE_16F_PEDANTIC})) {
    if (are(CUDA_R_16F, CUDA_R_16F)) return go(of_half, of_half, of_half);
  } else if (is_one_of(compute, {CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F_PEDANTIC,
                                 CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT})) {
    if (are(CUDA_R_64F, CUDA_R_64F)) return go(of_double, of_double, of_double);
    if (are(CUDA_C_64F, CUDA_C_64F))
      return go(of_double_complex, of_double_complex, of_double_complex);
  } else {
    if (are(CUDA_R_32F, CUDA_R_32F)) return go(of_float, of_float, of_float);
    if (are(CUDA_C_32F, CUDA_C_32F)) return go(of_complex, of_complex, of_complex);
    if (are(CUDA_R_16F, CUDA_R_16F)) return go(of_half, of_half, of_float);
    if (are(CUDA_R_16F, CUDA_R_32F)) return go(of_half, of_float, of_float);
    if (are(CUDA_R_16BF, CUDA_R_16BF)) return go(of_bfloat16, of_bfloat16, of_float);
    if (are(CUDA_R_16BF, CUDA_R_32F)) return go(of_bfloat16, of_float, of_float);
    if (are(CUDA_R_8I, CUDA_R_32F))
      return go(static_cast<signed char*>(nullptr), of_float, of_float);
  }
  explain("cuBLAS: no product of data types %d and %d as %d with compute type %d",
          static_cast<int>(type_a), static_cast<int>(type_b), static_cast<int>(type_c),
          static_cast<int>(compute));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

// cublasGemmEx and its batch, with the name that the program called.
cublasStatus_t multiply_types(cublasHandle_t handle, const char* name, cublasOperation_t op_a,
                              cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                              const void* a, cudaDataType type_a, int lda, long long stride_a,
                              const void* b, cudaDataType type_b, int ldb, long long stride_b,
                              const void* beta, void* c, cudaDataType type_c, int ldc,
                              long long stride_c, int count, cublasComputeType_t compute) {
  return with_types(type_a, type_b, type_c, compute, [&](auto* in, auto* out, auto* factor) {
    return multiply_batch(handle, name, op_a, op_b, m, n, k, typed(alpha, factor), typed(a, in),
                          lda, stride_a, typed(b, in), ldb, stride_b, typed(beta, factor),
                          typed(c, out), ldc, stride_c, count);
  });
}

// Pointers to matrices of the type of a null pointer.
template <typename T>
const T* const* typed(const void* const* data, T*) {
  return reinterpret_cast<const T* const*>(data);
}
template <typename T>
T* const* typed(void* const* data, T*) {
  return reinterpret_cast<T* const*>(data);
}

}  // namespace

#define GEMM(L, T)                                                                                 \
  cublasStatus_t cublas##L##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,                \
      long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count) {           \
    return multiply_batch(handle, "cublas" #L "gemmStridedBatched", op_a, op_b, m, n, k, alpha, a, \
                          lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, count);         \
  }                                                                                                \
  cublasStatus_t cublas##L##gemm(                                                                  \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {    \
    return multiply_batch(handle, "cublas" #L "gemm", op_a, op_b, m, n, k, alpha, a, lda, 0, b,    \
                          ldb, 0, beta, c, ldc, 0, 1);                                             \
  }                                                                                                \
  cublasStatus_t cublas##L##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,     \
      T* const c[], int ldc, int count) {                                                          \
    return multiply_pointed(handle, "cublas" #L "gemmBatched", op_a, op_b, m, n, k, alpha, a, lda, \
                            b, ldb, beta, c, ldc, count);                                          \
  }
GEMM(S, float)
GEMM(D, double)
GEMM(C, cuComplex)
GEMM(Z, cuDoubleComplex)
GEMM(H, __half)
#undef GEMM

#define GEMM_3M(L, T)                                                                             \
  cublasStatus_t cublas##L##gemm3m(                                                               \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {   \
    return multiply_batch(handle, "cublas" #L "gemm3m", op_a, op_b, m, n, k, alpha, a, lda, 0, b, \
                          ldb, 0, beta, c, ldc, 0, 1);                                            \
  }
GEMM_3M(C, cuComplex)
GEMM_3M(Z, cuDoubleComplex)
#undef GEMM_3M

#define GEMM_GROUPED(L, T)                                                                         \
  cublasStatus_t cublas##L##gemmGroupedBatched(                                                    \
      cublasHandle_t handle, const cublasOperation_t op_a[], const cublasOperation_t op_b[],       \
      const int m[], const int n[], const int k[], const T alpha[], const T* const a[],            \
      const int lda[], const T* const b[], const int ldb[], const T beta[], T* const c[],          \
      const int ldc[], int groups, const int sizes[]) {                                            \
    for (int i = 0, first = 0; i < groups; first += sizes[i++]) {                                  \
      const cublasStatus_t status = multiply_pointed(                                              \
          handle, "cublas" #L "gemmGroupedBatched", op_a[i], op_b[i], m[i], n[i], k[i], alpha + i, \
          a + first, lda[i], b + first, ldb[i], beta + i, c + first, ldc[i], sizes[i]);            \
      if (status != CUBLAS_STATUS_SUCCESS) return status;                                          \
    }                                                                                              \
    return groups < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;                       \
  }
GEMM_GROUPED(S, float)
GEMM_GROUPED(D, double)
#undef GEMM_GROUPED

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_types(handle, "cublasGemmStridedBatchedEx", op_a, op_b, m, n, k, alpha, a, type_a,
                        lda, stride_a, b, type_b, ldb, stride_b, beta, c, type_c, ldc, stride_c,
                        count, compute);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_types(handle, "cublasGemmEx", op_a, op_b, m, n, k, alpha, a, type_a, lda, 0, b,
                        type_b, ldb, 0, beta, c, type_c, ldc, 0, 1, compute);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                   const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb,
                                   const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return with_types(type_a, type_b, type_c, compute, [&](auto* in, auto* out, auto* factor) {
    return multiply_pointed(handle, "cublasGemmBatchedEx", op_a, op_b, m, n, k,
                            typed(alpha, factor), typed(a, in), lda, typed(b, in), ldb,
                            typed(beta, factor), typed(c, out), ldc, count);
  });
}

cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t handle, const cublasOperation_t op_a[], const cublasOperation_t op_b[],
    const int m[], const int n[], const int k[], const void* alpha, const void* const a[],
    cudaDataType type_a, const int lda[], const void* const b[], cudaDataType type_b,
    const int ldb[], const void* beta, void* const c[], cudaDataType type_c, const int ldc[],
    int groups, const int sizes[], cublasComputeType_t compute) {
  return with_types(type_a, type_b, type_c, compute, [&](auto* in, auto* out, auto* factor) {
    for (int i = 0, first = 0; i < groups; first += sizes[i++]) {
      const cublasStatus_t status = multiply_pointed(
          handle, "cublasGemmGroupedBatchedEx", op_a[i], op_b[i], m[i], n[i], k[i],
          typed(alpha, factor) + i, typed(a, in) + first, lda[i], typed(b, in) + first, ldb[i],
          typed(beta, factor) + i, typed(c, out) + first, ldc[i], sizes[i]);
      if (status != CUBLAS_STATUS_SUCCESS) return status;
    }
    return groups < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                             int m, int n, int k, const float* alpha, const void* a,
                             cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                             int ldb, const float* beta, void* c, cudaDataType type_c, int ldc) {
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c,
                      type_c, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasCgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                             int m, int n, int k, const cuComplex* alpha, const void* a,
                             cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                             int ldb, const cuComplex* beta, void* c, cudaDataType type_c,
                             int ldc) {
  if (type_a != CUDA_C_32F || type_c != CUDA_C_32F) return CUBLAS_STATUS_NOT_SUPPORTED;
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c,
                      type_c, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

// cuBLAS: the calls of the three levels that programs make, with columns stored as in Fortran.
//
// Vectors and matrices are checked against their allocations, and sanitize sees which elements are
// read and written in which stream. Sums are in the type of the operands, in the order of the
// index; a GPU adds in another order. The library's time on a GPU is not modelled.
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
// Programs test the name, which a toolkit's cublas_v2.h defines through another header.
#define CUBLAS_API_H_

#include <stdint.h>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUBLAS_VERSION 130000
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0

typedef struct cublasContext* cublasHandle_t;

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
// How a GPU multiplies and adds; the CPU device rounds each operation to its type.
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
// A GPU's way to compute a product, which the result does not show.
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO8 = 8,
  CUBLAS_GEMM_ALGO9 = 9,
  CUBLAS_GEMM_ALGO10 = 10,
  CUBLAS_GEMM_ALGO11 = 11,
  CUBLAS_GEMM_ALGO12 = 12,
  CUBLAS_GEMM_ALGO13 = 13,
  CUBLAS_GEMM_ALGO14 = 14,
  CUBLAS_GEMM_ALGO15 = 15,
  CUBLAS_GEMM_ALGO16 = 16,
  CUBLAS_GEMM_ALGO17 = 17,
  CUBLAS_GEMM_ALGO18 = 18,
  CUBLAS_GEMM_ALGO19 = 19,
  CUBLAS_GEMM_ALGO20 = 20,
  CUBLAS_GEMM_ALGO21 = 21,
  CUBLAS_GEMM_ALGO22 = 22,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
  CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;
typedef enum {
  CUBLAS_EMULATION_STRATEGY_DEFAULT = 0,
  CUBLAS_EMULATION_STRATEGY_PERFORMANT = 1,
  CUBLAS_EMULATION_STRATEGY_EAGER = 2
} cublasEmulationStrategy_t;
typedef cudaDataType cublasDataType_t;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
// How to compute float and double from shorter numbers. On the CPU device all products have the
// precision of their own type, with any setting.
cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t strategy);
cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t* strategy);
cublasStatus_t cublasSetEmulationSpecialValuesSupport(cublasHandle_t handle,
                                                      cudaEmulationSpecialValuesSupport mask);
cublasStatus_t cublasGetEmulationSpecialValuesSupport(cublasHandle_t handle,
                                                      cudaEmulationSpecialValuesSupport* mask);
cublasStatus_t cublasSetFixedPointEmulationMantissaControl(cublasHandle_t handle,
                                                           cudaEmulationMantissaControl control);
cublasStatus_t cublasGetFixedPointEmulationMantissaControl(cublasHandle_t handle,
                                                           cudaEmulationMantissaControl* control);
cublasStatus_t cublasSetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle, int bits);
cublasStatus_t cublasGetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle, int* bits);
cublasStatus_t cublasSetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle, int bits);
cublasStatus_t cublasGetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle, int* bits);

// Copies between host and device: n elements `inc` apart, or columns `ld` apart.
cublasStatus_t cublasSetVector(int n, int element_bytes, const void* x, int incx, void* d_y,
                               int incy);
cublasStatus_t cublasGetVector(int n, int element_bytes, const void* d_x, int incx, void* y,
                               int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void* a, int lda,
                               void* d_b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void* d_a, int lda,
                               void* b, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int element_bytes, const void* x, int incx, void* d_y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int element_bytes, const void* d_x, int incx, void* y,
                                    int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element_bytes, const void* a,
                                    int lda, void* d_b, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element_bytes, const void* d_a,
                                    int lda, void* b, int ldb, cudaStream_t stream);

// cublasSetPointerMode() says where alpha, beta and results lie: on the host at first. R is the
// type of the real numbers of which T consists.
#define CUDACPU_BLAS_ANY(L, l, T, R)                                                               \
  /* Level 1: the index of the largest and the smallest (from 1), y = a x + y, copies, rotations.  \
   */                                                                                              \
  cublasStatus_t cublasI##l##amax(cublasHandle_t handle, int n, const T* x, int incx,              \
                                  int* result);                                                    \
  cublasStatus_t cublasI##l##amin(cublasHandle_t handle, int n, const T* x, int incx,              \
                                  int* result);                                                    \
  cublasStatus_t cublas##L##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,         \
                                 int incx, T* y, int incy);                                        \
  cublasStatus_t cublas##L##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,         \
                                 int incy);                                                        \
  cublasStatus_t cublas##L##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);    \
  cublasStatus_t cublas##L##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);    \
  cublasStatus_t cublas##L##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,      \
                                const R* c, const T* s);                                           \
  cublasStatus_t cublas##L##rotg(cublasHandle_t handle, T* a, T* b, R* c, T* s);                   \
  /* Level 2: y = alpha op(A) x + beta y, A = alpha x x' + A, and op(A) x = b in place, for all    \
   * ways to store A; of triangular ones the third letter says full (r), band (b) or packed (p).   \
   */                                                                                              \
  cublasStatus_t cublas##L##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,        \
                                 const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                 const T* beta, T* y, int incy);                                   \
  cublasStatus_t cublas##L##gbmv(cublasHandle_t handle, cublasOperation_t op, int m, int n,        \
                                 int kl, int ku, const T* alpha, const T* a, int lda, const T* x,  \
                                 int incx, const T* beta, T* y, int incy);                         \
  cublasStatus_t cublas##L##symv(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                 const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                 const T* beta, T* y, int incy);                                   \
  cublasStatus_t cublas##L##syr(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                                const T* alpha, const T* x, int incx, T* a, int lda);              \
  cublasStatus_t cublas##L##syr2(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                 const T* alpha, const T* x, int incx, const T* y, int incy, T* a, \
                                 int lda);                                                         \
  cublasStatus_t cublas##L##trmv(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,           \
                                 const T* a, int lda, T* x, int incx);                             \
  cublasStatus_t cublas##L##tbmv(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n, int k,    \
                                 const T* a, int lda, T* x, int incx);                             \
  cublasStatus_t cublas##L##tpmv(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,           \
                                 const T* ap, T* x, int incx);                                     \
  cublasStatus_t cublas##L##trsv(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,           \
                                 const T* a, int lda, T* x, int incx);                             \
  cublasStatus_t cublas##L##tbsv(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n, int k,    \
                                 const T* a, int lda, T* x, int incx);                             \
  cublasStatus_t cublas##L##tpsv(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,           \
                                 const T* ap, T* x, int incx);                                     \
  /* Level 3: products with symmetric and triangular matrices and into them, triangular systems in \
   * place, sums, copies of triangles. */                                                          \
  cublasStatus_t cublas##L##symm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, int m, int n, const T* alpha, const T* a,  \
                                 int lda, const T* b, int ldb, const T* beta, T* c, int ldc);      \
  cublasStatus_t cublas##L##syrk(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, int n, int k, const T* alpha, const T* a,   \
                                 int lda, const T* beta, T* c, int ldc);                           \
  cublasStatus_t cublas##L##syr2k(cublasHandle_t handle, cublasFillMode_t fill,                    \
                                  cublasOperation_t op, int n, int k, const T* alpha, const T* a,  \
                                  int lda, const T* b, int ldb, const T* beta, T* c, int ldc);     \
  cublasStatus_t cublas##L##syrkx(cublasHandle_t handle, cublasFillMode_t fill,                    \
                                  cublasOperation_t op, int n, int k, const T* alpha, const T* a,  \
                                  int lda, const T* b, int ldb, const T* beta, T* c, int ldc);     \
  cublasStatus_t cublas##L##trmm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, cublasOperation_t op,                      \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,          \
                                 const T* a, int lda, const T* b, int ldb, T* c, int ldc);         \
  cublasStatus_t cublas##L##trsm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, cublasOperation_t op,                      \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,          \
                                 const T* a, int lda, T* b, int ldb);                              \
  cublasStatus_t cublas##L##trsmBatched(                                                           \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,   \
      cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* const a[], int lda,        \
      T* const b[], int ldb, int count);                                                           \
  cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t op_a,                    \
                                 cublasOperation_t op_b, int m, int n, const T* alpha, const T* a, \
                                 int lda, const T* beta, const T* b, int ldb, T* c, int ldc);      \
  cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,       \
                                 const T* a, int lda, const T* x, int incx, T* c, int ldc);        \
  cublasStatus_t cublas##L##tpttr(cublasHandle_t handle, cublasFillMode_t fill, int n,             \
                                  const T* ap, T* a, int lda);                                     \
  cublasStatus_t cublas##L##trttp(cublasHandle_t handle, cublasFillMode_t fill, int n, const T* a, \
                                  int lda, T* ap);
CUDACPU_BLAS_ANY(S, s, float, float)
CUDACPU_BLAS_ANY(D, d, double, double)
CUDACPU_BLAS_ANY(C, c, cuComplex, float)
CUDACPU_BLAS_ANY(Z, z, cuDoubleComplex, double)
#undef CUDACPU_BLAS_ANY

#define CUDACPU_BLAS_REAL(L, T)                                                                    \
  /* Level 1: sums, products, modified rotations. */                                               \
  cublasStatus_t cublas##L##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result);   \
  cublasStatus_t cublas##L##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result);   \
  cublasStatus_t cublas##L##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y,    \
                                int incy, T* result);                                              \
  cublasStatus_t cublas##L##rotm(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,     \
                                 const T* parameters);                                             \
  cublasStatus_t cublas##L##rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1,         \
                                  T* parameters);                                                  \
  /* Level 2: A = alpha x y' + A; symmetric matrices as bands and packed. */                       \
  cublasStatus_t cublas##L##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,   \
                                int incx, const T* y, int incy, T* a, int lda);                    \
  cublasStatus_t cublas##L##sbmv(cublasHandle_t handle, cublasFillMode_t fill, int n, int k,       \
                                 const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                 const T* beta, T* y, int incy);                                   \
  cublasStatus_t cublas##L##spmv(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                 const T* alpha, const T* ap, const T* x, int incx, const T* beta, \
                                 T* y, int incy);                                                  \
  cublasStatus_t cublas##L##spr(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                                const T* alpha, const T* x, int incx, T* ap);                      \
  cublasStatus_t cublas##L##spr2(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                 const T* alpha, const T* x, int incx, const T* y, int incy,       \
                                 T* ap);
CUDACPU_BLAS_REAL(S, float)
CUDACPU_BLAS_REAL(D, double)
#undef CUDACPU_BLAS_REAL

#define CUDACPU_BLAS_COMPLEX(L, T, R)                                                              \
  /* Level 1: products of vectors, of which c takes the conjugate of x. */                         \
  cublasStatus_t cublas##L##dotu(cublasHandle_t handle, int n, const T* x, int incx, const T* y,   \
                                 int incy, T* result);                                             \
  cublasStatus_t cublas##L##dotc(cublasHandle_t handle, int n, const T* x, int incx, const T* y,   \
                                 int incy, T* result);                                             \
  /* Level 2: A = alpha x y' + A, with y conjugate for c; Hermitian matrices, full, as bands and   \
   * packed. */                                                                                    \
  cublasStatus_t cublas##L##geru(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,  \
                                 int incx, const T* y, int incy, T* a, int lda);                   \
  cublasStatus_t cublas##L##gerc(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,  \
                                 int incx, const T* y, int incy, T* a, int lda);                   \
  cublasStatus_t cublas##L##hemv(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                 const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                 const T* beta, T* y, int incy);                                   \
  cublasStatus_t cublas##L##her(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                                const R* alpha, const T* x, int incx, T* a, int lda);              \
  cublasStatus_t cublas##L##her2(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                 const T* alpha, const T* x, int incx, const T* y, int incy, T* a, \
                                 int lda);                                                         \
  cublasStatus_t cublas##L##hbmv(cublasHandle_t handle, cublasFillMode_t fill, int n, int k,       \
                                 const T* alpha, const T* a, int lda, const T* x, int incx,        \
                                 const T* beta, T* y, int incy);                                   \
  cublasStatus_t cublas##L##hpmv(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                 const T* alpha, const T* ap, const T* x, int incx, const T* beta, \
                                 T* y, int incy);                                                  \
  cublasStatus_t cublas##L##hpr(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                                const R* alpha, const T* x, int incx, T* ap);                      \
  cublasStatus_t cublas##L##hpr2(cublasHandle_t handle, cublasFillMode_t fill, int n,              \
                                 const T* alpha, const T* x, int incx, const T* y, int incy,       \
                                 T* ap);                                                           \
  /* Level 3: products with Hermitian matrices and into them. */                                   \
  cublasStatus_t cublas##L##hemm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, int m, int n, const T* alpha, const T* a,  \
                                 int lda, const T* b, int ldb, const T* beta, T* c, int ldc);      \
  cublasStatus_t cublas##L##herk(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                 cublasOperation_t op, int n, int k, const R* alpha, const T* a,   \
                                 int lda, const R* beta, T* c, int ldc);                           \
  cublasStatus_t cublas##L##her2k(cublasHandle_t handle, cublasFillMode_t fill,                    \
                                  cublasOperation_t op, int n, int k, const T* alpha, const T* a,  \
                                  int lda, const T* b, int ldb, const R* beta, T* c, int ldc);     \
  cublasStatus_t cublas##L##herkx(cublasHandle_t handle, cublasFillMode_t fill,                    \
                                  cublasOperation_t op, int n, int k, const T* alpha, const T* a,  \
                                  int lda, const T* b, int ldb, const R* beta, T* c, int ldc);
CUDACPU_BLAS_COMPLEX(C, cuComplex, float)
CUDACPU_BLAS_COMPLEX(Z, cuDoubleComplex, double)
#undef CUDACPU_BLAS_COMPLEX

// Sums of absolute values (of both parts), lengths, real factors and rotations by real numbers.
cublasStatus_t cublasScasum(cublasHandle_t handle, int n, const cuComplex* x, int incx,
                            float* result);
cublasStatus_t cublasScnrm2(cublasHandle_t handle, int n, const cuComplex* x, int incx,
                            float* result);
cublasStatus_t cublasDzasum(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                            double* result);
cublasStatus_t cublasDznrm2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx,
                            double* result);
cublasStatus_t cublasCsscal(cublasHandle_t handle, int n, const float* alpha, cuComplex* x,
                            int incx);
cublasStatus_t cublasCsrot(cublasHandle_t handle, int n, cuComplex* x, int incx, cuComplex* y,
                           int incy, const float* c, const float* s);
cublasStatus_t cublasZdscal(cublasHandle_t handle, int n, const double* alpha, cuDoubleComplex* x,
                            int incx);
cublasStatus_t cublasZdrot(cublasHandle_t handle, int n, cuDoubleComplex* x, int incx,
                           cuDoubleComplex* y, int incy, const double* c, const double* s);

// Decompositions of a batch of matrices, to which arrays on the device point: A = P L U in place
// and solutions by the decomposition, inverses of matrices of up to 32 rows, A = Q R in place, and
// the x for which A x is nearest to the columns of C, stored in the columns' place. `pivots`, if
// not null, and `info` of getrf, getri and matinv, and `singular` are arrays on the device: `info`
// has 0 for each matrix, or the place, from 1, of a 0 on the diagonal. The other `info` is on the
// host: 0, or the wrong argument's place with a minus.
#define CUDACPU_DECOMPOSITIONS(L, T)                                                               \
  cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda,      \
                                         int* pivots, int* info, int count);                       \
  cublasStatus_t cublas##L##getrsBatched(                                                          \
      cublasHandle_t handle, cublasOperation_t op, int n, int columns, const T* const a[],         \
      int lda, const int* pivots, T* const b[], int ldb, int* info, int count);                    \
  cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const T* const a[],         \
                                         int lda, const int* pivots, T* const c[], int ldc,        \
                                         int* info, int count);                                    \
  cublasStatus_t cublas##L##matinvBatched(cublasHandle_t handle, int n, const T* const a[],        \
                                          int lda, T* const inverses[], int ld_inverses,           \
                                          int* info, int count);                                   \
  cublasStatus_t cublas##L##geqrfBatched(cublasHandle_t handle, int m, int n, T* const a[],        \
                                         int lda, T* const tau[], int* info, int count);           \
  cublasStatus_t cublas##L##gelsBatched(cublasHandle_t handle, cublasOperation_t op, int m, int n, \
                                        int columns, T* const a[], int lda, T* const c[], int ldc, \
                                        int* info, int* singular, int count);
CUDACPU_DECOMPOSITIONS(S, float)
CUDACPU_DECOMPOSITIONS(D, double)
CUDACPU_DECOMPOSITIONS(C, cuComplex)
CUDACPU_DECOMPOSITIONS(Z, cuDoubleComplex)
#undef CUDACPU_DECOMPOSITIONS

// C = alpha op(A) op(B) + beta C, with op(A) m by k and op(B) k by n: alone, of pointers on the
// device, of matrices that lie `stride` elements apart.
#define CUDACPU_GEMM(L, T)                                                                        \
  cublasStatus_t cublas##L##gemm(                                                                 \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc);    \
  cublasStatus_t cublas##L##gemmBatched(                                                          \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,    \
      T* const c[], int ldc, int count);                                                          \
  cublasStatus_t cublas##L##gemmStridedBatched(                                                   \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,               \
      long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count);
CUDACPU_GEMM(S, float)
CUDACPU_GEMM(D, double)
CUDACPU_GEMM(C, cuComplex)
CUDACPU_GEMM(Z, cuDoubleComplex)
CUDACPU_GEMM(H, __half)
#undef CUDACPU_GEMM

// Complex products by three real products, where a GPU has the method.
#define CUDACPU_GEMM_3M(L, T)                                                                     \
  cublasStatus_t cublas##L##gemm3m(                                                               \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc);
CUDACPU_GEMM_3M(C, cuComplex)
CUDACPU_GEMM_3M(Z, cuDoubleComplex)
#undef CUDACPU_GEMM_3M

// Groups of matrices: the matrices of a group have the same size. The pointers to matrices lie on
// the device, all other arrays on the host.
#define CUDACPU_GEMM_GROUPED(L, T)                                                           \
  cublasStatus_t cublas##L##gemmGroupedBatched(                                              \
      cublasHandle_t handle, const cublasOperation_t op_a[], const cublasOperation_t op_b[], \
      const int m[], const int n[], const int k[], const T alpha[], const T* const a[],      \
      const int lda[], const T* const b[], const int ldb[], const T beta[], T* const c[],    \
      const int ldc[], int groups, const int sizes[]);
CUDACPU_GEMM_GROUPED(S, float)
CUDACPU_GEMM_GROUPED(D, double)
#undef CUDACPU_GEMM_GROUPED

// The same for other types: float, double, __half, __nv_bfloat16, complex numbers, and sums of int8
// as int.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                   const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb,
                                   const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t handle, const cublasOperation_t op_a[], const cublasOperation_t op_b[],
    const int m[], const int n[], const int k[], const void* alpha, const void* const a[],
    cudaDataType type_a, const int lda[], const void* const b[], cudaDataType type_b,
    const int ldb[], const void* beta, void* const c[], cudaDataType type_c, const int ldc[],
    int groups, const int sizes[], cublasComputeType_t compute);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                             int m, int n, int k, const float* alpha, const void* a,
                             cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                             int ldb, const float* beta, void* c, cudaDataType type_c, int ldc);
cublasStatus_t cublasCgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                             int m, int n, int k, const cuComplex* alpha, const void* a,
                             cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                             int ldb, const cuComplex* beta, void* c, cudaDataType type_c, int ldc);

// Vectors of the types above without int8, all of the same type; sums of 16-bit numbers are
// computed as float.
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha,
                            cudaDataType type_alpha, const void* x, cudaDataType type_x, int incx,
                            void* y, cudaDataType type_y, int incy, cudaDataType type);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha,
                            cudaDataType type_alpha, void* x, cudaDataType type_x, int incx,
                            cudaDataType type);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType type_x,
                           int incx, const void* y, cudaDataType type_y, int incy, void* result,
                           cudaDataType type_result, cudaDataType type);
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType type_x,
                            int incx, const void* y, cudaDataType type_y, int incy, void* result,
                            cudaDataType type_result, cudaDataType type);
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType type_x,
                            int incx, void* result, cudaDataType type_result, cudaDataType type);
cublasStatus_t cublasRotEx(cublasHandle_t handle, int n, void* x, cudaDataType type_x, int incx,
                           void* y, cudaDataType type_y, int incy, const void* c, const void* s,
                           cudaDataType type_cs, cudaDataType type);

// Complex numbers of float.
cublasStatus_t cublasCsyrkEx(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                             int n, int k, const cuComplex* alpha, const void* a,
                             cudaDataType type_a, int lda, const cuComplex* beta, void* c,
                             cudaDataType type_c, int ldc);
cublasStatus_t cublasCsyrk3mEx(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                               int n, int k, const cuComplex* alpha, const void* a,
                               cudaDataType type_a, int lda, const cuComplex* beta, void* c,
                               cudaDataType type_c, int ldc);
cublasStatus_t cublasCherkEx(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                             int n, int k, const float* alpha, const void* a, cudaDataType type_a,
                             int lda, const float* beta, void* c, cudaDataType type_c, int ldc);
cublasStatus_t cublasCherk3mEx(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                               int n, int k, const float* alpha, const void* a, cudaDataType type_a,
                               int lda, const float* beta, void* c, cudaDataType type_c, int ldc);

}  // extern "C"

// As before CUDA 11, with a type of data in place of the type of the computation.
inline cublasComputeType_t cudacpu_compute_type(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
      return CUBLAS_COMPUTE_16F;
    case CUDA_R_64F:
    case CUDA_C_64F:
      return CUBLAS_COMPUTE_64F;
    case CUDA_R_32I:
      return CUBLAS_COMPUTE_32I;
    default:
      return CUBLAS_COMPUTE_32F;
  }
}
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                   const void* a, cudaDataType type_a, int lda, const void* b,
                                   cudaDataType type_b, int ldb, const void* beta, void* c,
                                   cudaDataType type_c, int ldc, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c,
                      type_c, ldc, cudacpu_compute_type(compute), algorithm);
}

// The names of a toolkit's library for functions with handles.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasGetVersion_v2 cublasGetVersion
#define cublasSetWorkspace_v2 cublasSetWorkspace
#define cublasIsamax_v2 cublasIsamax
#define cublasIsamin_v2 cublasIsamin
#define cublasSaxpy_v2 cublasSaxpy
#define cublasScopy_v2 cublasScopy
#define cublasSswap_v2 cublasSswap
#define cublasSscal_v2 cublasSscal
#define cublasSgemv_v2 cublasSgemv
#define cublasStrsv_v2 cublasStrsv
#define cublasSgemm_v2 cublasSgemm
#define cublasStrsm_v2 cublasStrsm
#define cublasSsymm_v2 cublasSsymm
#define cublasSsyrk_v2 cublasSsyrk
#define cublasIdamax_v2 cublasIdamax
#define cublasIdamin_v2 cublasIdamin
#define cublasDaxpy_v2 cublasDaxpy
#define cublasDcopy_v2 cublasDcopy
#define cublasDswap_v2 cublasDswap
#define cublasDscal_v2 cublasDscal
#define cublasDgemv_v2 cublasDgemv
#define cublasDtrsv_v2 cublasDtrsv
#define cublasDgemm_v2 cublasDgemm
#define cublasDtrsm_v2 cublasDtrsm
#define cublasDsymm_v2 cublasDsymm
#define cublasDsyrk_v2 cublasDsyrk
#define cublasIcamax_v2 cublasIcamax
#define cublasIcamin_v2 cublasIcamin
#define cublasCaxpy_v2 cublasCaxpy
#define cublasCcopy_v2 cublasCcopy
#define cublasCswap_v2 cublasCswap
#define cublasCscal_v2 cublasCscal
#define cublasCgemv_v2 cublasCgemv
#define cublasCtrsv_v2 cublasCtrsv
#define cublasCgemm_v2 cublasCgemm
#define cublasCtrsm_v2 cublasCtrsm
#define cublasCsymm_v2 cublasCsymm
#define cublasCsyrk_v2 cublasCsyrk
#define cublasIzamax_v2 cublasIzamax
#define cublasIzamin_v2 cublasIzamin
#define cublasZaxpy_v2 cublasZaxpy
#define cublasZcopy_v2 cublasZcopy
#define cublasZswap_v2 cublasZswap
#define cublasZscal_v2 cublasZscal
#define cublasZgemv_v2 cublasZgemv
#define cublasZtrsv_v2 cublasZtrsv
#define cublasZgemm_v2 cublasZgemm
#define cublasZtrsm_v2 cublasZtrsm
#define cublasZsymm_v2 cublasZsymm
#define cublasZsyrk_v2 cublasZsyrk
#define cublasSasum_v2 cublasSasum
#define cublasDasum_v2 cublasDasum
#define cublasScasum_v2 cublasScasum
#define cublasDzasum_v2 cublasDzasum
#define cublasSnrm2_v2 cublasSnrm2
#define cublasDnrm2_v2 cublasDnrm2
#define cublasScnrm2_v2 cublasScnrm2
#define cublasDznrm2_v2 cublasDznrm2
#define cublasSdot_v2 cublasSdot
#define cublasDdot_v2 cublasDdot
#define cublasCdotu_v2 cublasCdotu
#define cublasCdotc_v2 cublasCdotc
#define cublasZdotu_v2 cublasZdotu
#define cublasZdotc_v2 cublasZdotc
#define cublasSger_v2 cublasSger
#define cublasDger_v2 cublasDger

#endif

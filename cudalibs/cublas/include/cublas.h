// cuBLAS as it was before handles: functions that take numbers, and functions that return results.
//
// Each calls its successor in cublas_v2.h with the process's handle. cublasGetError() returns the
// status of the last call.
#ifndef CUBLAS_H_
#define CUBLAS_H_

#include "cublas_v2.h"

typedef cublasStatus_t cublasStatus;

namespace cudacpu {

struct HandlelessBlas {
  cublasHandle_t handle = nullptr;
  cublasStatus_t error = CUBLAS_STATUS_SUCCESS;
};
inline HandlelessBlas handleless_blas;

// Notes what a call returned, for cublasGetError().
inline void note(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) handleless_blas.error = status;
}
inline cublasOperation_t operation(char letter) {
  if (letter == 'N' || letter == 'n') return CUBLAS_OP_N;
  return letter == 'C' || letter == 'c' ? CUBLAS_OP_C : CUBLAS_OP_T;
}
inline cublasSideMode_t side(char letter) {
  return letter == 'L' || letter == 'l' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}
inline cublasFillMode_t fill(char letter) {
  return letter == 'L' || letter == 'l' ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}
inline cublasDiagType_t diagonal(char letter) {
  return letter == 'U' || letter == 'u' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

}  // namespace cudacpu

inline cublasStatus cublasInit() {
  cublasHandle_t& handle = cudacpu::handleless_blas.handle;
  return handle ? CUBLAS_STATUS_SUCCESS : cublasCreate(&handle);
}
inline cublasStatus cublasShutdown() {
  const cublasHandle_t handle = cudacpu::handleless_blas.handle;
  cudacpu::handleless_blas.handle = nullptr;
  return handle ? cublasDestroy(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}
inline cublasStatus cublasGetError() {
  const cublasStatus_t error = cudacpu::handleless_blas.error;
  cudacpu::handleless_blas.error = CUBLAS_STATUS_SUCCESS;
  return error;
}
inline cublasStatus cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream(cudacpu::handleless_blas.handle, stream);
}
inline cublasStatus cublasAlloc(int n, int element_bytes, void** device_pointer) {
  if (n <= 0 || element_bytes <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(element_bytes);
  return cudaMalloc(device_pointer, bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                          : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus cublasFree(void* device_pointer) {
  return cudaFree(device_pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                 : CUBLAS_STATUS_INTERNAL_ERROR;
}

#define CUDACPU_HANDLE cudacpu::handleless_blas.handle
#define CUDACPU_BLAS_INDEX(name, T)                           \
  inline int name(int n, const T* x, int incx) {              \
    int result = 0;                                           \
    cudacpu::note(name(CUDACPU_HANDLE, n, x, incx, &result)); \
    return result;                                            \
  }
#define CUDACPU_BLAS_SUM(name, T)                             \
  inline T name(int n, const T* x, int incx) {                \
    T result = 0;                                             \
    cudacpu::note(name(CUDACPU_HANDLE, n, x, incx, &result)); \
    return result;                                            \
  }
#define CUDACPU_BLAS(L, l, T)                                                                      \
  CUDACPU_BLAS_INDEX(cublasI##l##amax, T)                                                          \
  CUDACPU_BLAS_INDEX(cublasI##l##amin, T)                                                          \
  CUDACPU_BLAS_SUM(cublas##L##asum, T)                                                             \
  CUDACPU_BLAS_SUM(cublas##L##nrm2, T)                                                             \
  inline T cublas##L##dot(int n, const T* x, int incx, const T* y, int incy) {                     \
    T result = 0;                                                                                  \
    cudacpu::note(cublas##L##dot(CUDACPU_HANDLE, n, x, incx, y, incy, &result));                   \
    return result;                                                                                 \
  }                                                                                                \
  inline void cublas##L##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {              \
    cudacpu::note(cublas##L##axpy(CUDACPU_HANDLE, n, &alpha, x, incx, y, incy));                   \
  }                                                                                                \
  inline void cublas##L##copy(int n, const T* x, int incx, T* y, int incy) {                       \
    cudacpu::note(cublas##L##copy(CUDACPU_HANDLE, n, x, incx, y, incy));                           \
  }                                                                                                \
  inline void cublas##L##swap(int n, T* x, int incx, T* y, int incy) {                             \
    cudacpu::note(cublas##L##swap(CUDACPU_HANDLE, n, x, incx, y, incy));                           \
  }                                                                                                \
  inline void cublas##L##scal(int n, T alpha, T* x, int incx) {                                    \
    cudacpu::note(cublas##L##scal(CUDACPU_HANDLE, n, &alpha, x, incx));                            \
  }                                                                                                \
  inline void cublas##L##gemv(char op, int m, int n, T alpha, const T* a, int lda, const T* x,     \
                              int incx, T beta, T* y, int incy) {                                  \
    cudacpu::note(cublas##L##gemv(CUDACPU_HANDLE, cudacpu::operation(op), m, n, &alpha, a, lda, x, \
                                  incx, &beta, y, incy));                                          \
  }                                                                                                \
  inline void cublas##L##ger(int m, int n, T alpha, const T* x, int incx, const T* y, int incy,    \
                             T* a, int lda) {                                                      \
    cudacpu::note(cublas##L##ger(CUDACPU_HANDLE, m, n, &alpha, x, incx, y, incy, a, lda));         \
  }                                                                                                \
  inline void cublas##L##gemm(char op_a, char op_b, int m, int n, int k, T alpha, const T* a,      \
                              int lda, const T* b, int ldb, T beta, T* c, int ldc) {               \
    cudacpu::note(cublas##L##gemm(CUDACPU_HANDLE, cudacpu::operation(op_a),                        \
                                  cudacpu::operation(op_b), m, n, k, &alpha, a, lda, b, ldb,       \
                                  &beta, c, ldc));                                                 \
  }                                                                                                \
  inline void cublas##L##trsm(char side, char fill, char op, char diagonal, int m, int n, T alpha, \
                              const T* a, int lda, T* b, int ldb) {                                \
    cudacpu::note(cublas##L##trsm(CUDACPU_HANDLE, cudacpu::side(side), cudacpu::fill(fill),        \
                                  cudacpu::operation(op), cudacpu::diagonal(diagonal), m, n,       \
                                  &alpha, a, lda, b, ldb));                                        \
  }
CUDACPU_BLAS(S, s, float)
CUDACPU_BLAS(D, d, double)
#undef CUDACPU_BLAS
#undef CUDACPU_BLAS_SUM
#undef CUDACPU_BLAS_INDEX
#undef CUDACPU_HANDLE

#endif

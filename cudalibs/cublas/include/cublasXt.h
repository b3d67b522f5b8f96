// cuBLASXt: the third level of cuBLAS for matrices in the host's memory, or on the device.
//
// A GPU cuts large matrices into tiles and shares the tiles among devices. On the CPU device each
// call copies its matrices to the first selected device, calls the function of cublas_v2.h and
// copies the result back before returning. So the matrices of a call have to fit into the device's
// memory together, and no dimension may be larger than an int.
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include <algorithm>
#include <climits>
#include <initializer_list>
#include <vector>

#include "cublas_v2.h"

struct cublasXtContext {
  cublasHandle_t blas = nullptr;
  int device = -1;  // none was selected yet
  int block_dim = 2048;
  int pinning = 0;
};
typedef struct cublasXtContext* cublasXtHandle_t;

// Settings without an effect, like the size of tiles, kept for the functions that return settings.
typedef enum {
  CUBLASXT_PINNING_DISABLED = 0,
  CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;
typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;
typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

inline cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasXtContext;
  return cublasCreate(&(*handle)->blas);
}
inline cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublasStatus_t status = cublasDestroy(handle->blas);
  delete handle;
  return status;
}
inline cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
  int there = 0;
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (count <= 0 || !devices || cudaGetDeviceCount(&there) != cudaSuccess)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (int i = 0; i < count; ++i)
    if (devices[i] < 0 || devices[i] >= there) return CUBLAS_STATUS_INVALID_VALUE;
  handle->device = devices[0];
  return CUBLAS_STATUS_SUCCESS;
}
// The number of boards, for some devices and for all: each device is a board of its own.
inline cublasStatus_t cublasXtGetNumBoards(int count, int devices[], int* boards) {
  if (count <= 0 || !devices || !boards) return CUBLAS_STATUS_INVALID_VALUE;
  *boards = count;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtMaxBoards(int* boards) {
  return boards && cudaGetDeviceCount(boards) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                             : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int block_dim) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (block_dim <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  handle->block_dim = block_dim;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* block_dim) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!block_dim) return CUBLAS_STATUS_INVALID_VALUE;
  *block_dim = handle->block_dim;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                                cublasXtPinnedMemMode_t mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle,
                                                cublasXtPinnedMemMode_t* mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!mode) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = static_cast<cublasXtPinnedMemMode_t>(handle->pinning);
  return CUBLAS_STATUS_SUCCESS;
}
// A BLAS of the host, and its share of the work: the CPU device ignores both.
inline cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t,
                                            cublasXtOpType_t, void* function) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return function ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t,
                                          cublasXtOpType_t, float ratio) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return ratio >= 0 && ratio <= 1 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

namespace cudacpu::xt {

// The copies of a call's matrices, without gaps between their columns, and the first error.
struct Call {
  cublasHandle_t blas;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  std::vector<void*> owned;

  explicit Call(cublasHandle_t blas) : blas(blas) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    for (void* copy : owned)
      cudaFree(copy);
  }

  bool ok() const { return status == CUBLAS_STATUS_SUCCESS; }
  void note(cublasStatus_t result) {
    if (ok()) status = result;
  }
  template <typename T>
  T* room(size_t elements) {
    void* place = nullptr;
    if (!ok() || elements == 0) return nullptr;
    if (cudaMalloc(&place, elements * sizeof(T)) != cudaSuccess) {
      note(CUBLAS_STATUS_ALLOC_FAILED);
      return nullptr;
    }
    owned.push_back(place);
    return static_cast<T*>(place);
  }
  template <typename T>
  void copy(T* to, size_t ld_to, const T* from, size_t ld_from, size_t rows, size_t columns) {
    if (!ok() || rows == 0 || columns == 0) return;
    if (cudaMemcpy2D(to, ld_to * sizeof(T), from, ld_from * sizeof(T), rows * sizeof(T), columns,
                     cudaMemcpyDefault) != cudaSuccess)
      note(CUBLAS_STATUS_INVALID_VALUE);
  }
  // A copy of the matrix on the device.
  template <typename T>
  T* in(const T* from, size_t rows, size_t columns, size_t ld) {
    if (ld < std::max<size_t>(1, rows)) note(CUBLAS_STATUS_INVALID_VALUE);
    T* place = room<T>(rows * columns);
    copy(place, rows, from, ld, rows, columns);
    return place;
  }
  template <typename T>
  void out(const T* place, T* to, size_t rows, size_t columns, size_t ld) {
    copy(to, ld, place, rows, rows, columns);
  }
};

// A leading dimension, or a size, in the type of cublas_v2.h.
inline int leading(size_t rows) {
  return static_cast<int>(std::max<size_t>(1, rows));
}
inline int narrow(size_t n) {
  return static_cast<int>(n);
}

// Runs `function(call)` on the selected device.
template <typename Function>
cublasStatus_t run(cublasXtHandle_t handle, std::initializer_list<size_t> sizes,
                   Function function) {
  if (!handle || handle->device < 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  for (size_t size : sizes)
    if (size > INT_MAX) return CUBLAS_STATUS_NOT_SUPPORTED;
  int before = 0;
  cudaGetDevice(&before);
  cudaSetDevice(handle->device);
  cublasStatus_t status;
  {
    Call call(handle->blas);
    function(call);
    status = call.status;
  }
  cudaSetDevice(before);
  return status;
}

template <typename T, typename Multiply>
cublasStatus_t gemm(Multiply multiply, cublasXtHandle_t handle, cublasOperation_t op_a,
                    cublasOperation_t op_b, size_t m, size_t n, size_t k, const T* alpha,
                    const T* a, size_t lda, const T* b, size_t ldb, const T* beta, T* c,
                    size_t ldc) {
  return run(handle, {m, n, k}, [&](Call& call) {
    const bool turns_a = op_a != CUBLAS_OP_N, turns_b = op_b != CUBLAS_OP_N;
    const size_t rows_a = turns_a ? k : m, rows_b = turns_b ? n : k;
    const T* x = call.in(a, rows_a, turns_a ? m : k, lda);
    const T* y = call.in(b, rows_b, turns_b ? k : n, ldb);
    T* z = call.in(c, m, n, ldc);
    if (!call.ok()) return;
    call.note(multiply(call.blas, op_a, op_b, narrow(m), narrow(n), narrow(k), alpha, x,
                       leading(rows_a), y, leading(rows_b), beta, z, leading(m)));
    call.out(z, c, m, n, ldc);
  });
}

// Products with a symmetric or Hermitian A.
template <typename T, typename Multiply>
cublasStatus_t symm(Multiply multiply, cublasXtHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t fill, size_t m, size_t n, const T* alpha, const T* a,
                    size_t lda, const T* b, size_t ldb, const T* beta, T* c, size_t ldc) {
  return run(handle, {m, n}, [&](Call& call) {
    const size_t size = side == CUBLAS_SIDE_LEFT ? m : n;
    const T* x = call.in(a, size, size, lda);
    const T* y = call.in(b, m, n, ldb);
    T* z = call.in(c, m, n, ldc);
    if (!call.ok()) return;
    call.note(multiply(call.blas, side, fill, narrow(m), narrow(n), alpha, x, leading(size), y,
                       leading(m), beta, z, leading(m)));
    call.out(z, c, m, n, ldc);
  });
}

// The same with a symmetric A whose triangle has no gaps.
template <typename T, typename Unpack, typename Multiply>
cublasStatus_t spmm(Unpack unpack, Multiply multiply, cublasXtHandle_t handle,
                    cublasSideMode_t side, cublasFillMode_t fill, size_t m, size_t n,
                    const T* alpha, const T* ap, const T* b, size_t ldb, const T* beta, T* c,
                    size_t ldc) {
  return run(handle, {m, n}, [&](Call& call) {
    const size_t size = side == CUBLAS_SIDE_LEFT ? m : n, stored = size * (size + 1) / 2;
    const T* packed = call.in(ap, stored, 1, stored);
    T* x = call.room<T>(size * size);
    const T* y = call.in(b, m, n, ldb);
    T* z = call.in(c, m, n, ldc);
    if (!call.ok()) return;
    call.note(unpack(call.blas, fill, narrow(size), packed, x, leading(size)));
    call.note(multiply(call.blas, side, fill, narrow(m), narrow(n), alpha, x, leading(size), y,
                       leading(m), beta, z, leading(m)));
    call.out(z, c, m, n, ldc);
  });
}

// A triangle of alpha op(A) op(A)' + beta C.
template <typename T, typename F, typename Multiply>
cublasStatus_t syrk(Multiply multiply, cublasXtHandle_t handle, cublasFillMode_t fill,
                    cublasOperation_t op, size_t n, size_t k, const F* alpha, const T* a,
                    size_t lda, const F* beta, T* c, size_t ldc) {
  return run(handle, {n, k}, [&](Call& call) {
    const size_t rows = op == CUBLAS_OP_N ? n : k;
    const T* x = call.in(a, rows, op == CUBLAS_OP_N ? k : n, lda);
    T* z = call.in(c, n, n, ldc);
    if (!call.ok()) return;
    call.note(multiply(call.blas, fill, op, narrow(n), narrow(k), alpha, x, leading(rows), beta, z,
                       leading(n)));
    call.out(z, c, n, n, ldc);
  });
}

// And of products of A and B.
template <typename T, typename G, typename Multiply>
cublasStatus_t syr2k(Multiply multiply, cublasXtHandle_t handle, cublasFillMode_t fill,
                     cublasOperation_t op, size_t n, size_t k, const T* alpha, const T* a,
                     size_t lda, const T* b, size_t ldb, const G* beta, T* c, size_t ldc) {
  return run(handle, {n, k}, [&](Call& call) {
    const size_t rows = op == CUBLAS_OP_N ? n : k, columns = op == CUBLAS_OP_N ? k : n;
    const T* x = call.in(a, rows, columns, lda);
    const T* y = call.in(b, rows, columns, ldb);
    T* z = call.in(c, n, n, ldc);
    if (!call.ok()) return;
    call.note(multiply(call.blas, fill, op, narrow(n), narrow(k), alpha, x, leading(rows), y,
                       leading(rows), beta, z, leading(n)));
    call.out(z, c, n, n, ldc);
  });
}

template <typename T, typename Multiply>
cublasStatus_t trmm(Multiply multiply, cublasXtHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                    size_t m, size_t n, const T* alpha, const T* a, size_t lda, const T* b,
                    size_t ldb, T* c, size_t ldc) {
  return run(handle, {m, n}, [&](Call& call) {
    const size_t size = side == CUBLAS_SIDE_LEFT ? m : n;
    const T* x = call.in(a, size, size, lda);
    const T* y = call.in(b, m, n, ldb);
    T* z = call.in(c, m, n, ldc);
    if (!call.ok()) return;
    call.note(multiply(call.blas, side, fill, op, diagonal, narrow(m), narrow(n), alpha, x,
                       leading(size), y, leading(m), z, leading(m)));
    call.out(z, c, m, n, ldc);
  });
}

template <typename T, typename Solve>
cublasStatus_t trsm(Solve solve, cublasXtHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                    size_t m, size_t n, const T* alpha, const T* a, size_t lda, T* b, size_t ldb) {
  return run(handle, {m, n}, [&](Call& call) {
    const size_t size = side == CUBLAS_SIDE_LEFT ? m : n;
    const T* x = call.in(a, size, size, lda);
    T* y = call.in(b, m, n, ldb);
    if (!call.ok()) return;
    call.note(solve(call.blas, side, fill, op, diagonal, narrow(m), narrow(n), alpha, x,
                    leading(size), y, leading(m)));
    call.out(y, b, m, n, ldb);
  });
}

}  // namespace cudacpu::xt

// A function by a name that may be overloaded, like the names of <cublas.h>.
#define CUDACPU_CALL(function) [](auto... arguments) { return function(arguments...); }

// As in cublas_v2.h, with sizes of size_t. Three forms of several functions: products with a
// symmetric or Hermitian A, and triangles of products of A, and of A and B.
#define CUDACPU_XT_MM(L, name, T)                                                               \
  inline cublasStatus_t cublasXt##L##name(cublasXtHandle_t handle, cublasSideMode_t side,       \
                                          cublasFillMode_t fill, size_t m, size_t n,            \
                                          const T* alpha, const T* a, size_t lda, const T* b,   \
                                          size_t ldb, const T* beta, T* c, size_t ldc) {        \
    return cudacpu::xt::symm(CUDACPU_CALL(cublas##L##name), handle, side, fill, m, n, alpha, a, \
                             lda, b, ldb, beta, c, ldc);                                        \
  }
#define CUDACPU_XT_RK(L, name, T, F)                                                               \
  inline cublasStatus_t cublasXt##L##name(                                                         \
      cublasXtHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, size_t n, size_t k,    \
      const F* alpha, const T* a, size_t lda, const F* beta, T* c, size_t ldc) {                   \
    return cudacpu::xt::syrk(CUDACPU_CALL(cublas##L##name), handle, fill, op, n, k, alpha, a, lda, \
                             beta, c, ldc);                                                        \
  }
#define CUDACPU_XT_R2K(L, name, T, G)                                                          \
  inline cublasStatus_t cublasXt##L##name(cublasXtHandle_t handle, cublasFillMode_t fill,      \
                                          cublasOperation_t op, size_t n, size_t k,            \
                                          const T* alpha, const T* a, size_t lda, const T* b,  \
                                          size_t ldb, const G* beta, T* c, size_t ldc) {       \
    return cudacpu::xt::syr2k(CUDACPU_CALL(cublas##L##name), handle, fill, op, n, k, alpha, a, \
                              lda, b, ldb, beta, c, ldc);                                      \
  }
#define CUDACPU_XT_SYMMETRIC(L, T) \
  CUDACPU_XT_MM(L, symm, T)        \
  CUDACPU_XT_RK(L, syrk, T, T) CUDACPU_XT_R2K(L, syr2k, T, T) CUDACPU_XT_R2K(L, syrkx, T, T)
#define CUDACPU_XT_HERMITIAN(L, T, R) \
  CUDACPU_XT_MM(L, hemm, T)           \
  CUDACPU_XT_RK(L, herk, T, R) CUDACPU_XT_R2K(L, her2k, T, R) CUDACPU_XT_R2K(L, herkx, T, R)
CUDACPU_XT_SYMMETRIC(S, float)
CUDACPU_XT_SYMMETRIC(D, double)
CUDACPU_XT_SYMMETRIC(C, cuComplex)
CUDACPU_XT_SYMMETRIC(Z, cuDoubleComplex)
CUDACPU_XT_HERMITIAN(C, cuComplex, float)
CUDACPU_XT_HERMITIAN(Z, cuDoubleComplex, double)
#undef CUDACPU_XT_HERMITIAN
#undef CUDACPU_XT_SYMMETRIC
#undef CUDACPU_XT_R2K
#undef CUDACPU_XT_RK
#undef CUDACPU_XT_MM

#define CUDACPU_XT(L, T)                                                                           \
  inline cublasStatus_t cublasXt##L##gemm(cublasXtHandle_t handle, cublasOperation_t op_a,         \
                                          cublasOperation_t op_b, size_t m, size_t n, size_t k,    \
                                          const T* alpha, const T* a, size_t lda, const T* b,      \
                                          size_t ldb, const T* beta, T* c, size_t ldc) {           \
    return cudacpu::xt::gemm(CUDACPU_CALL(cublas##L##gemm), handle, op_a, op_b, m, n, k, alpha, a, \
                             lda, b, ldb, beta, c, ldc);                                           \
  }                                                                                                \
  inline cublasStatus_t cublasXt##L##spmm(                                                         \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, size_t m, size_t n,   \
      const T* alpha, const T* ap, const T* b, size_t ldb, const T* beta, T* c, size_t ldc) {      \
    return cudacpu::xt::spmm(CUDACPU_CALL(cublas##L##tpttr), CUDACPU_CALL(cublas##L##symm),        \
                             handle, side, fill, m, n, alpha, ap, b, ldb, beta, c, ldc);           \
  }                                                                                                \
  inline cublasStatus_t cublasXt##L##trmm(                                                         \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, \
      cublasDiagType_t diagonal, size_t m, size_t n, const T* alpha, const T* a, size_t lda,       \
      const T* b, size_t ldb, T* c, size_t ldc) {                                                  \
    return cudacpu::xt::trmm(CUDACPU_CALL(cublas##L##trmm), handle, side, fill, op, diagonal, m,   \
                             n, alpha, a, lda, b, ldb, c, ldc);                                    \
  }                                                                                                \
  inline cublasStatus_t cublasXt##L##trsm(                                                         \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, \
      cublasDiagType_t diagonal, size_t m, size_t n, const T* alpha, const T* a, size_t lda, T* b, \
      size_t ldb) {                                                                                \
    return cudacpu::xt::trsm(CUDACPU_CALL(cublas##L##trsm), handle, side, fill, op, diagonal, m,   \
                             n, alpha, a, lda, b, ldb);                                            \
  }
CUDACPU_XT(S, float)
CUDACPU_XT(D, double)
CUDACPU_XT(C, cuComplex)
CUDACPU_XT(Z, cuDoubleComplex)
#undef CUDACPU_XT
#undef CUDACPU_CALL

#endif
